import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Metrics } from '../runtime/metrics.ts';

const { builtins } = pg.types;

/** Times and dates remain as Postgres prints them, which is the API's format. */
const keptAsText = new Set<number>([builtins.TIMESTAMP, builtins.TIMESTAMPTZ, builtins.DATE]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    keptAsText.has(id)
      ? (text: string) => text
      : pg.types.getTypeParser(id, format as 'text' | undefined),
};

/** Something that executes statements: a pool, or one user's share of a pool. */
export interface Queryable {
  query<R extends pg.QueryResultRow>(statement: {
    readonly text: string;
    readonly name?: string;
    readonly values: unknown[];
    readonly rowMode?: 'array';
  }): Promise<pg.QueryResult<R>>;
}

export interface Address {
  readonly url: string;
  readonly applicationName: string;
}

export interface DatabaseConfig extends Address {
  readonly poolSize: number;
  /** The database cancels a statement that takes longer. */
  readonly statementTimeoutMs?: number;
  /** The connection is closed if the database or the network does not respond within this time. */
  readonly answerTimeoutMs?: number;
  /** Statements run without parallel workers, and with more memory. */
  readonly isForSearches?: boolean;
  /** False: statements are not prepared, for poolers that do not track statement names. */
  readonly areNamed?: boolean;
  /** A connection is used only after this resolves. */
  readonly onConnect?: (client: pg.ClientBase) => Promise<void>;
}

/**
 * Without enough memory for the positions of a word's matches (8 MB per million), Postgres compares all records on the
 * same pages again.
 */
const FOR_SEARCHES = '-c max_parallel_workers_per_gather=0 -c work_mem=16MB';

export function createPool(config: DatabaseConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: config.url,
    max: config.poolSize,
    application_name: config.applicationName,
    connectionTimeoutMillis: 5_000,
    statement_timeout: config.statementTimeoutMs,
    query_timeout: config.answerTimeoutMs,
    options: config.isForSearches === true ? FOR_SEARCHES : undefined,
    // pg awaits the result, even though its type does not allow a promise.
    onConnect: config.onConnect as pg.PoolConfig['onConnect'],
    types,
  });
  if (config.areNamed === false) pool.on('connect', sendWithoutNames);
  return pool;
}

function sendWithoutNames(client: pg.PoolClient): void {
  const { query } = client;
  Object.assign(client, {
    query: (statement: unknown, ...others: readonly unknown[]) =>
      Reflect.apply(query, client, [withoutName(statement), ...others]),
  });
}

const withoutName = (statement: unknown): unknown =>
  typeof statement === 'object' && statement !== null && Object.hasOwn(statement, 'name')
    ? { ...statement, name: undefined }
    : statement;

/** Creates a separate connection, for LISTEN or for the projector's transactions. */
export function createClient({ url, applicationName }: Address): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 5_000,
    types,
  });
}

/** Runs `work` with a separate connection, and closes it afterwards. Rethrows errors from `connect`. */
export async function withConnection<Result>(
  connect: () => Promise<pg.Client>,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Measures how many connections of a pool are in use, and how many callers are waiting for one. */
export function measurePool(
  metrics: Metrics,
  name: 'records' | 'searches' | 'exports' | 'replica' | 'replica-searches',
  count: () => {
    readonly idleCount: number;
    readonly totalCount: number;
    readonly waitingCount: number;
  },
): void {
  metrics.read('annals_database_connections', () => {
    const { idleCount, totalCount } = count();
    return [
      { labels: { pool: name, state: 'busy' }, value: totalCount - idleCount },
      { labels: { pool: name, state: 'idle' }, value: idleCount },
    ];
  });
  metrics.read('annals_database_waiting_queries', () => [
    { labels: { pool: name }, value: count().waitingCount },
  ]);
}

/** Returns a prepared statement, which each connection keeps parsed and planned. Its name is derived from its text. */
export function nameStatement(text: string): { readonly name: string; readonly text: string } {
  return { name: createHash('md5').update(text).digest('hex'), text };
}
