import { orUnavailable, sqlStateOf } from '../db/outage-of.ts';
import type { Queryable } from '../db/pool.ts';
import type { Statement } from './prepare-statement.ts';

/** A row keyed by attribute names, or by auxiliary columns that the reader removes. */
export type Row = Record<string, unknown>;

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export async function runStatement(
  pool: Queryable,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  return orUnavailable(queryRows<Row>(pool, statement, values));
}

/** Runs a statement and returns each row as an array in column order: pg builds wide row objects as hash tables. */
export async function runForValues(
  pool: Queryable,
  statement: Statement,
  values: unknown[],
): Promise<unknown[][]> {
  const request = { ...statement, rowMode: 'array' as const };
  return orUnavailable(queryRows<Row & unknown[]>(pool, request, values));
}

async function queryRows<R extends Row>(
  pool: Queryable,
  statement: Statement & { readonly rowMode?: 'array' },
  values: unknown[],
): Promise<R[]> {
  try {
    return (await pool.query<R>({ ...statement, values })).rows;
  } catch (error) {
    // A column type has changed since the connection prepared the statement. Without a name it is planned again.
    if (sqlStateOf(error) !== '0A000' || statement.name === undefined) throw error;
    const { name: _, ...unnamed } = statement;
    return (await pool.query<R>({ ...unnamed, values })).rows;
  }
}
