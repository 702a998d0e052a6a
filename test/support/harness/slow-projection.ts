import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { liveSchema, quotedTable } from '../../../shared/db/tables/read-model-names.ts';

export interface SlowProjection {
  /** The projector goes on as fast as it can. */
  close(): Promise<void>;
}

const HELD_MS = 150;

/**
 * Lets the projector write records of one type only now and then, a batch each time. Whoever waits until a change can be
 * read, as mass actions do with each record, is slowed down to what can be watched.
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
    // Waits for the projector's turn to end, and has it wait for the next one; reads go on.
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
