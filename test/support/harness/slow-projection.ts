import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { liveSchema, quotedTable } from '../../../shared/db/tables/read-model-names.ts';

export interface SlowProjection {
  /** Lets the projector continue at full speed. */
  close(): Promise<void>;
}

const HELD_MS = 150;

/**
 * Slows the projector down: it writes records of one type only at intervals, a batch each time. Code that
 * waits until changes are readable, such as mass actions, becomes slow enough to be observed.
 */
export async function slowProjection(
  databaseUrl: string,
  entityType: string,
): Promise<SlowProjection> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const table = quotedTable(liveSchema, entityType);
  const lock = async () => {
    await client.query('begin');
    // The lock waits for the projector's transaction, and blocks the next one. Reads continue.
    await client.query(`lock table ${table} in exclusive mode`);
  };
  let isClosed = false;
  await lock();
  const turns = (async () => {
    while (!isClosed) {
      await sleep(HELD_MS);
      await client.query('commit');
      if (!isClosed) await lock();
    }
    await client.query('commit');
  })();
  return {
    async close() {
      isClosed = true;
      await turns;
      await client.end();
    },
  };
}
