import type { QueryResult, QueryResultRow } from 'pg';
import { orUnavailable, sqlStateOf } from '../db/outage-of.ts';
import { Refusal } from '../domain/errors.ts';
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
  return orUnavailable(queryRows(pool, statement, values));
}

async function queryRows(pool: Queryable, statement: Statement, values: unknown[]): Promise<Row[]> {
  try {
    return (await pool.query<Row>({ ...statement, values })).rows;
  } catch (error) {
    if (sqlStateOf(error) === '57014') throw tooSlow();
    // A column of the table changed its type since the connection prepared the statement. Unnamed, it is planned anew.
    if (sqlStateOf(error) !== '0A000' || statement.name === undefined) throw error;
    return (await pool.query<Row>({ text: statement.text, values })).rows;
  }
}

/** The database ended the statement: its pool gives statements so much time and no more. */
function tooSlow(): Refusal {
  return new Refusal('invalid', 'list.too_slow', 'This search takes too long: narrow it down.');
}
