import type { ClientBase } from 'pg';
import { Unavailable } from '../domain/errors.ts';

/**
 * An address may resolve to several servers, or to a different server later. The replica check covers only one of them, so
 * connections set up with `follow` only work while they reach the same server as the one set up with `lead`.
 */
export function pinConnections(onLead: () => void) {
  let server: string | undefined;
  return {
    async lead(client: ClientBase): Promise<void> {
      server = await readStart(client);
      onLead();
    },
    async follow(client: ClientBase): Promise<void> {
      const own = await readStart(client);
      const { query } = client;
      Object.assign(client, {
        query: (...statement: readonly unknown[]) => {
          if (own === server) return Reflect.apply(query, client, statement);
          throw new Unavailable('DATABASE_READ_URL resolves to several servers', {
            remedy: 'set it to the address of a single replica (it may differ between processes)',
          });
        },
      });
    },
  };
}

/** Returns the server's start time, which identifies it: it differs between servers, and after a restart. */
async function readStart(client: ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ start: string }>(
    'select pg_postmaster_start_time()::text as start',
  );
  return rows[0]?.start;
}
