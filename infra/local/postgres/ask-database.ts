import pg from 'pg';
import { findDatabaseRemedy } from '../../../shared/db/database-remedy.ts';
import { identifyListener, nameListener } from '../../../shared/net/listener/identify-listener.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** Why a database cannot be used. */
export interface DatabaseFault {
  /** In the words of Postgres or of the network. */
  readonly reason: string;
  /** What an operator has to change; undefined if waiting may be enough. Names the address `DATABASE_URL`. */
  readonly remedy: string | undefined;
}

/** Runs a query: a server that accepts connections may still refuse the user, or lack the database. */
export async function findDatabaseFault(url: string): Promise<DatabaseFault | undefined> {
  try {
    await withClient(url, async (client) => client.query('SELECT 1'));
    return undefined;
  } catch (error) {
    const remedy = findDatabaseRemedy(error);
    const stranger =
      remedy === undefined && hasNoCause(error) ? await findStranger(url) : undefined;
    return stranger ?? { reason: describeConnectError(error), remedy };
  }
}

/** Whether the connection ended without an error of Postgres: another server may listen there. */
function hasNoCause(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AggregateError) return false;
  return !('code' in error) || error.code === undefined || error.code === 'ECONNRESET';
}

async function findStranger(url: string): Promise<DatabaseFault | undefined> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const listener = await identifyListener({ host, port: Number(port) || 5432 });
  if (listener.kind !== 'kafka' && listener.kind !== 'http') return undefined;
  return {
    reason: `${nameListener(listener)} listens there, not Postgres`,
    remedy: 'correct the host and the port in DATABASE_URL',
  };
}

export async function createDatabaseIfMissing(url: string, name: string): Promise<void> {
  await withClient(url, async (client) => {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0)
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  });
}

/** Runs the work on a connection of its own. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'annals-start',
  });
  // A server that ends while the connection is idle; the next query reports it.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function describeConnectError(error: unknown): string {
  // Node reports a name with several addresses as one error without a text of its own.
  if (error instanceof AggregateError) return error.errors.map(describeConnectError).join(', ');
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
