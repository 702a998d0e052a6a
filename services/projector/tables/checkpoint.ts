import type { Client } from 'pg';
import type { Logger } from 'pino';
import { withConnection } from '../../../shared/db/pool.ts';

/**
 * Lets Postgres finish with its write-ahead log, so that the segments are there that it goes on in: on a full disk it
 * could not make one, and would end. For an account without the right to it (`pg_checkpoint`) Postgres decides when.
 */
export async function checkpoint(connect: () => Promise<Client>, log: Logger): Promise<void> {
  try {
    await withConnection(connect, (client) => client.query('checkpoint'));
  } catch (err) {
    log.debug({ err }, 'no checkpoint was made');
  }
}
