import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { withClient } from '../../../infra/local/postgres/find-database-fault.ts';

const POLL_MS = 20;
const TIMEOUT_MS = 60_000;

/** Returns the entries per second that the projector stores in Postgres, starting with its first commit. */
export async function measureProgress(progress: {
  readonly databaseUrl: string;
  readonly topic: string;
  readonly entries: number;
  readonly requireRunning: () => void;
}): Promise<number> {
  const { databaseUrl, topic, entries, requireRunning } = progress;
  return withClient(databaseUrl, async (client) => {
    const deadline = performance.now() + TIMEOUT_MS;
    let begin: { readonly at: number; readonly stored: number } | undefined;
    while (performance.now() < deadline) {
      requireRunning();
      const stored = await countStored(client, topic);
      const at = performance.now();
      if (stored >= entries && begin !== undefined) {
        return Math.round(((stored - begin.stored) / (at - begin.at)) * 1000);
      }
      if (stored > 0) begin ??= { at, stored };
      if (begin?.stored === entries)
        throw new Error(`all ${entries} entries were stored in one commit: too few to measure`);
      await sleep(POLL_MS);
    }
    throw new Error(`the projector did not store ${entries} entries within ${TIMEOUT_MS} ms`);
  });
}

async function countStored(client: pg.Client, topic: string): Promise<number> {
  const { rows } = await client.query<{ stored: number | null }>(
    'select sum(next_offset)::float8 as stored from annals.positions where topic = $1',
    [topic],
  );
  return rows[0]?.stored ?? 0;
}

/** Waits until the projector has created its tables, and a position for each partition. */
export async function untilReadModel(
  databaseUrl: string,
  requireRunning: () => void,
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline; ) {
      requireRunning();
      const { rows } = await client.query("select to_regclass('annals.positions') as made");
      if (rows[0]?.made != null) return;
      await sleep(POLL_MS);
    }
    throw new Error(`the projector created no read model within ${TIMEOUT_MS} ms`);
  });
}
