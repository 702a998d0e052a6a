import type { ClientBase } from 'pg';
import { Unavailable } from '../domain/errors.ts';

/**
 * An address may lead to several servers, or to another one than before. What was asked of one says nothing of the others:
 * the connections that `follow` only work while they lead to the server that the connection of `lead` leads to.
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
          throw new Unavailable('DATABASE_READ_URL leads to several servers', {
            remedy: 'set it to the address of one replica, for each process of one of its own',
          });
        },
      });
    },
  };
}

/** No two servers of an address have begun in the same microsecond, and one that began anew may be another. */
async function readStart(client: ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ start: string }>(
    'select pg_postmaster_start_time()::text as start',
  );
  return rows[0]?.start;
}
