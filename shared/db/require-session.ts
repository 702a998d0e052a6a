import type { Client } from 'pg';
import { Unavailable } from '../domain/errors.ts';
import { type Address, createClient } from './pool.ts';

/**
 * Throws Unavailable if a pooler shares the client's connection with other clients between transactions, because LISTEN
 * and locks would then work only by chance. Sends one query, or several behind a pooler.
 */
export async function requireSession(client: Client, config: Address): Promise<void> {
  const before = await backendOf(client);
  // A pooler sends a made-up process id when a client connects.
  if ('processID' in client && client.processID === before) return;
  const other = createClient(config);
  try {
    await other.connect();
    await other.query('begin');
    // The transaction occupies the connection that the pooler used last.
    await backendOf(other);
    if ((await backendOf(client)) === before) return;
  } finally {
    await other.end().catch(() => undefined);
  }
  throw new Unavailable('a pooler gives this session to other clients between transactions', {
    remedy:
      'set DATABASE_SESSION_URL to Postgres itself; DATABASE_URL may remain the address of the pooler (docs/operations/install.md)',
  });
}

async function backendOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
