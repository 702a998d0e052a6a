import { sqlStateOf } from './outage-of.ts';

/**
 * Classes of SQLSTATEs that an entry can cause by its contents: data exception, integrity constraint violation, syntax
 * error or access rule violation, program limit exceeded; and AN002: a row was not stored without an error.
 */
const refusingClasses = /^(?:22|23|42|54|AN002)/;

/** Codes of these classes whose cause is never an entry: insufficient privilege, missing table, column or prepared statement. */
const INSUFFICIENT_PRIVILEGE = '42501';
const otherCauses: ReadonlySet<string> = new Set([
  INSUFFICIENT_PRIVILEGE,
  '42P01',
  '42703',
  '42P05',
]);

/** Whether the tables may have refused an entry because of its contents. Errors of building the statement count, too. */
export function isRefusedByTables(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  const code = sqlStateOf(error);
  return refusingClasses.test(code) && !otherCauses.has(code);
}

/** Whether Postgres refuses a statement that creates or alters a table, for a reason other than privileges. */
export function isRefusedDefinition(error: unknown): boolean {
  return (
    /^(?:22|23|42|54|55000)/.test(sqlStateOf(error)) && sqlStateOf(error) !== INSUFFICIENT_PRIVILEGE
  );
}

const MAX_REASON = 500;

/** The message of the error and its SQLSTATE, without details, which may contain values of the row. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = sqlStateOf(error);
  return `${message.slice(0, MAX_REASON).replaceAll('\0', '')}${code === '' ? '' : ` (${code})`}`;
}
