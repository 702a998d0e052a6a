import { sqlStateOf } from './outage-of.ts';

/**
 * SQLSTATE classes that an entry's contents can cause: data exception, integrity constraint violation, syntax error or
 * access rule violation, program limit exceeded; and AN002: a row was not stored and Postgres raised no error.
 */
const refusingClasses = /^(?:22|23|42|54|AN002)/;

/**
 * Codes of these classes that an entry never causes: insufficient privilege; missing table or column; duplicate
 * prepared statement.
 */
const MISSING: ReadonlySet<string> = new Set(['42P01', '42703']);
const otherCauses: ReadonlySet<string> = new Set(['42501', '42P05', ...MISSING]);

/**
 * Returns whether the tables may have rejected an entry because of its contents. Includes errors while building the
 * statement.
 */
export function isRefusedByTables(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  const code = sqlStateOf(error);
  return refusingClasses.test(code) && !otherCauses.has(code);
}

/**
 * Returns true if the definition is the reason why Postgres rejects a statement that creates or alters a table. If a
 * table is missing, it was dropped in the meantime, so the definition is not at fault.
 */
export function isRefusedDefinition(error: unknown): boolean {
  const code = sqlStateOf(error);
  return /^(?:22|23|42|54|55000)/.test(code) && !otherCauses.has(code);
}

/** Returns whether a table or column is missing, for example because Postgres rejects the type's definition. */
export function isMissingTable(error: unknown): boolean {
  return MISSING.has(sqlStateOf(error));
}

const MAX_REASON = 500;

/** Returns the error's message and SQLSTATE, without details, which may contain values from the row. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = sqlStateOf(error);
  return `${message.slice(0, MAX_REASON).replaceAll('\0', '')}${code === '' ? '' : ` (${code})`}`;
}
