import pg from 'pg';
import { findDatabaseRemedy } from '../../../shared/db/database-remedy.ts';
import { identifyListener, nameListener } from '../../../shared/net/listener/identify-listener.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** The reason why a database is unusable. */
export interface DatabaseFault {
  /** The error message from Postgres or the network. */
  readonly reason: string;
  /**
   * The change that an operator has to make; undefined if waiting may be enough. Refers to the address as
   * `DATABASE_URL`.
   */
  readonly remedy: string | undefined;
}

/** Runs a query, because a server that accepts connections may still reject the user or lack the database. */
export async function findDatabaseFault(url: string): Promise<DatabaseFault | undefined> {
  try {
    await withClient(url, async (client) => client.query('SELECT 1'));
    return undefined;
  } catch (error) {
    const remedy = findDatabaseRemedy(error);
    const otherServer =
      remedy === undefined && hasNoCause(error) ? await findOtherServer(url) : undefined;
    return otherServer ?? { reason: describeConnectError(error), remedy };
  }
}

/**
 * Returns true if the connection ended without a Postgres error. Another kind of server may then be listening there.
 */
function hasNoCause(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AggregateError) return false;
  return !('code' in error) || error.code === undefined || error.code === 'ECONNRESET';
}

async function findOtherServer(url: string): Promise<DatabaseFault | undefined> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const listener = await identifyListener({ host, port: Number(port) || 5432 });
  if (listener.kind !== 'kafka' && listener.kind !== 'http') return undefined;
  return {
    reason: `${nameListener(listener)} listens at this address, not Postgres`,
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

/** Runs `work` on a separate connection. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'annals-start',
  });
  // The server may stop while the connection is idle; the next query reports it.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function describeConnectError(error: unknown): string {
  // For a host name with several addresses, Node throws a single error without a message.
  if (error instanceof AggregateError) return error.errors.map(describeConnectError).join(', ');
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
