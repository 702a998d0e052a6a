import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { withClient } from '../../../infra/local/postgres/ask-database.ts';

const POLL_MS = 20;
const TIMEOUT_MS = 60_000;

/** Entries per second that the projector gets into Postgres, between its first batch and its last. */
export async function measureProgress(progress: {
  readonly databaseUrl: string;
  readonly topic: string;
  readonly entries: number;
  readonly requireRunning: () => void;
}): Promise<number> {
  const { databaseUrl, topic, entries, requireRunning } = progress;
  return withClient(databaseUrl, async (client) => {
    const deadline = performance.now() + TIMEOUT_MS;
    let first: { readonly stored: number; readonly at: number } | undefined;
    while (performance.now() < deadline) {
      requireRunning();
      const stored = await countStored(client, topic);
      const at = performance.now();
      if (stored > 0) first ??= { stored, at };
      if (stored >= entries && first !== undefined) {
        if (first.stored === stored) throw new Error('too few entries: all were in the first batch');
        return Math.round(((stored - first.stored) / (at - first.at)) * 1000);
      }
      await sleep(POLL_MS);
    }
    throw new Error(`the projector did not store ${entries} entries within ${TIMEOUT_MS} ms`);
  });
}

const UNDEFINED_TABLE = '42P01';

async function countStored(client: pg.Client, topic: string): Promise<number> {
  try {
    const { rows } = await client.query<{ stored: number }>(
      'select coalesce(sum(next_offset), 0)::float8 as stored from annals.positions where topic = $1',
      [topic],
    );
    return rows[0]?.stored ?? 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE) return 0;
    throw error;
  }
}
