import type { Client } from 'pg';
import { Unavailable } from '../domain/errors.ts';
import { createClient, type DatabaseConfig } from './pool.ts';

/**
 * For a connected client that listens or holds locks: throws Unavailable if a pooler gives its connection to other clients
 * between transactions, where all of that works by chance. Asks once, and only behind a pooler more than that.
 */
export async function requireSession(
  client: Client,
  config: Pick<DatabaseConfig, 'url' | 'applicationName'>,
): Promise<void> {
  const before = await backendOf(client);
  // A pooler makes up the number that it greets with.
  if ('processID' in client && client.processID === before) return;
  const other = createClient(config);
  try {
    await other.connect();
    await other.query('begin');
    // It holds the connection that was used last.
    await backendOf(other);
    if ((await backendOf(client)) === before) return;
  } finally {
    await other.end().catch(() => undefined);
  }
  throw new Unavailable('a pooler gives this session to others between transactions', {
    remedy:
      'set DATABASE_SESSION_URL to Postgres itself; DATABASE_URL may stay the address of the pooler (docs/operations/install.md)',
  });
}

async function backendOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
