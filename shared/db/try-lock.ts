import type { ClientBase } from 'pg';

/**
 * Takes an advisory lock, held until the connection ends or unlocks it. Returns false while another connection has
 * it.
 */
export async function tryLock(client: ClientBase, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ isOurs: boolean }>(
    'select pg_try_advisory_lock($1) as "isOurs"',
    [lock],
  );
  return rows[0]?.isOurs === true;
}
