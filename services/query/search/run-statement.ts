import type { QueryResult, QueryResultRow } from 'pg';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { Statement } from './prepare-statement.ts';

/** One row: attribute names of the record, or columns that the reader takes away again. */
export type Row = Record<string, unknown>;

export interface Queryable {
  query<R extends QueryResultRow>(statement: {
    readonly text: string;
    readonly name?: string;
    readonly values: unknown[];
  }): Promise<QueryResult<R>>;
}

export async function runStatement(
  pool: Queryable,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  try {
    return await queryRows(pool, statement, values);
  } catch (error) {
    throw outageOf(error) ?? error;
  }
}

async function queryRows(pool: Queryable, statement: Statement, values: unknown[]): Promise<Row[]> {
  try {
    return (await pool.query<Row>({ ...statement, values })).rows;
  } catch (error) {
    // A column of the table changed its type since the connection prepared the statement. Unnamed, it is planned anew.
    if (codeOf(error) !== '0A000' || statement.name === undefined) throw error;
    return (await pool.query<Row>({ text: statement.text, values })).rows;
  }
}

/** Connection exceptions, invalid authorisation, missing database, out of resources, intervention, system error. */
const outageClasses = /^(?:08|28|3D|53|57|58)/;
/** The definition of an entity type reached this process before its table: unknown schema, table or column. */
const notYetProjected: ReadonlySet<string> = new Set(['3F000', '42P01', '42703']);
/** Serialization failure, deadlock, lock not available: another attempt works. */
const transient: ReadonlySet<string> = new Set(['40001', '40P01', '55P03']);
const networkCodes = /^E(?:CONN|TIMEDOUT|PIPE|HOST|NET|NOTFOUND|AI_)/;
/** node-postgres gives these no code. */
const driverMessages =
  /^(?:timeout exceeded when trying to connect|connection terminated|client has encountered)/i;

/** The outage that an error of the driver stands for; undefined for what must not happen. */
function outageOf(error: unknown): Unavailable | undefined {
  const code = codeOf(error);
  if (notYetProjected.has(code)) {
    return new Unavailable('The read model is being prepared.', { cause: error });
  }
  const message = error instanceof Error ? error.message : '';
  const isOutage =
    outageClasses.test(code) ||
    transient.has(code) ||
    networkCodes.test(code) ||
    driverMessages.test(message);
  return isOutage ? new Unavailable('The database is not available.', { cause: error }) : undefined;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}
