import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { withClient } from '../../../infra/local/postgres/ask-database.ts';
import { sqlStateOf } from '../../../shared/db/outage-of.ts';

const POLL_MS = 20;
const TIMEOUT_MS = 60_000;

/** Entries per second that the projector gets into Postgres, from its first read on. */
export async function measureProgress(progress: {
  readonly databaseUrl: string;
  readonly topic: string;
  readonly entries: number;
  readonly requireRunning: () => void;
}): Promise<number> {
  const { databaseUrl, topic, entries, requireRunning } = progress;
  return withClient(databaseUrl, async (client) => {
    const deadline = performance.now() + TIMEOUT_MS;
    let startedAt = performance.now();
    for (let now = startedAt; now < deadline; now = performance.now()) {
      requireRunning();
      const stored = await countStored(client, topic);
      if (stored === undefined) startedAt = now;
      else if (stored >= entries) {
        return Math.round((entries / (performance.now() - startedAt)) * 1000);
      }
      await sleep(POLL_MS);
    }
    throw new Error(`the projector did not store ${entries} entries within ${TIMEOUT_MS} ms`);
  });
}

const UNDEFINED_TABLE = '42P01';

/** Undefined until the projector has made its positions, which it does right before it reads. */
async function countStored(client: pg.Client, topic: string): Promise<number | undefined> {
  try {
    const { rows } = await client.query<{ stored: number | null }>(
      'select sum(next_offset)::float8 as stored from annals.positions where topic = $1',
      [topic],
    );
    return rows[0]?.stored ?? undefined;
  } catch (error) {
    if (sqlStateOf(error) === UNDEFINED_TABLE) return undefined;
    throw error;
  }
}
