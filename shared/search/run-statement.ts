import { orUnavailable, sqlStateOf } from '../db/outage-of.ts';
import { nameStatement, type Queryable } from '../db/pool.ts';

/** SQL text, with a name if connections should prepare it. */
export interface Statement {
  readonly text: string;
  readonly name?: string;
}

/**
 * Every connection keeps its prepared statements, about 20 kB each, until it closes. Their number is therefore limited.
 */
const MAX_PREPARED = 500;

/**
 * Names statements by their text, so that the name is the same in every process and after every change to the
 * directory. Texts beyond `limit` get no name and are planned each time.
 */
export function createPrepare(limit = MAX_PREPARED): (text: string) => Statement {
  const prepared = new Map<string, Statement>();
  return (text) => {
    const known = prepared.get(text);
    if (known !== undefined || prepared.size >= limit) return known ?? { text };
    const statement = nameStatement(text);
    prepared.set(text, statement);
    return statement;
  };
}

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

/**
 * Runs a statement and returns each row as an array in column order, because pg would build wide row objects as hash
 * tables.
 */
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
