import type { ClientBase } from 'pg';
import { hasTable } from '../../../shared/db/find-tables.ts';
import { inTransaction } from '../../../shared/db/in-transaction.ts';
import {
  mergeSamples,
  readSamples,
  type SeriesSample,
  seriesSchema,
} from '../../../shared/series/sample.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = 31 * DAY_MS;
const WHOLE_MS = 2 * DAY_MS;
const THINNED_MS = 1_800_000;

/** The key of an advisory lock, an arbitrary number: only one process at a time creates the table or thins it. */
const LOCK = 0x616e6e63;

/** Creates the missing schema and table. */
export async function ensureSampleTables(client: ClientBase): Promise<void> {
  if (await hasTable(client, `${seriesSchema}.samples`)) return;
  // A single message is a single transaction, to which the lock belongs.
  await client.query(`
    select pg_advisory_xact_lock(${LOCK});
    create schema if not exists ${seriesSchema};
    -- The sum of all processes in a step. at_ms is the end of the step in milliseconds since 1970.
    create table if not exists ${seriesSchema}.samples (
      at_ms bigint primary key,
      seconds double precision not null,
      counts jsonb not null,
      gauges jsonb not null,
      latency jsonb not null
    )`);
}

/** Keeps the existing sample if another process has already stored one for the step. */
export async function storeSample(client: ClientBase, sample: SeriesSample): Promise<void> {
  await client.query(
    `insert into ${seriesSchema}.samples (at_ms, seconds, counts, gauges, latency)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [sample.at, sample.seconds, sample.counts, sample.gauges, sample.latency],
  );
}

/** Drops samples that are older than any chart, and merges those older than two days into one row per half hour. */
export async function thinSamples(client: ClientBase, now: number): Promise<void> {
  await client.query(`delete from ${seriesSchema}.samples where at_ms <= $1`, [now - KEPT_MS]);
  const { rows } = await client.query<{ until: string }>(
    `select (at_ms + $2::bigint - 1) / $2 * $2 as until from ${seriesSchema}.samples
     where at_ms <= $1 group by 1 having count(*) > 1`,
    [Math.floor((now - WHOLE_MS) / THINNED_MS) * THINNED_MS, THINNED_MS],
  );
  for (const { until } of rows) await thinHalfHour(client, Number(until));
}

async function thinHalfHour(client: ClientBase, until: number): Promise<void> {
  const after = until - THINNED_MS;
  await inTransaction(client, async () => {
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const samples = await readSamples(client, { after, until });
    // Another process may have merged them already.
    if (samples.length <= 1) return;
    await client.query(`delete from ${seriesSchema}.samples where at_ms > $1 and at_ms <= $2`, [
      after,
      until,
    ]);
    await storeSample(client, mergeSamples(samples, until));
  });
}
