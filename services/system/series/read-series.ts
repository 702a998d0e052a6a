import type { ClientBase } from 'pg';
import { hasTable } from '../../../shared/db/find-tables.ts';
import { toSqlTime, webhookSchema } from '../../../shared/db/tables/read-model-names.ts';
import { readSamples, seriesSchema } from '../../../shared/series/sample.ts';
import { type DrawnSeries, drawSeries, sampleRange } from './draw-series.ts';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/** Each range is a whole number of steps. No step is shorter than a measured one. */
export const seriesRanges = {
  '1h': { seconds: HOUR_SECONDS, stepSeconds: MINUTE_SECONDS / 2 },
  '24h': { seconds: DAY_SECONDS, stepSeconds: 10 * MINUTE_SECONDS },
  '7d': { seconds: 7 * DAY_SECONDS, stepSeconds: HOUR_SECONDS },
  '30d': { seconds: 30 * DAY_SECONDS, stepSeconds: 4 * HOUR_SECONDS },
} as const;

export type SeriesRange = keyof typeof seriesRanges;

interface FailingWebhook {
  readonly webhookId: string;
  readonly failed: number;
}

export interface ReadSeries extends DrawnSeries {
  /** The webhooks with the most failed attempts, in descending order. */
  readonly failing: readonly FailingWebhook[];
}

const MOST_FAILING = 10;

/** Reads the series and the failing webhooks of a range that ends now. */
export async function readSeries(
  client: ClientBase,
  range: SeriesRange,
  now: number,
): Promise<ReadSeries> {
  const frame = seriesRanges[range];
  const isKept = await hasTable(client, `${seriesSchema}.samples`);
  const samples = isKept ? await readSamples(client, sampleRange(frame, now)) : [];
  const drawn = drawSeries(samples, frame, now);
  return { ...drawn, failing: await readFailing(client, Date.parse(drawn.from)) };
}

/** Limited by how long Postgres keeps attempts. */
async function readFailing(client: ClientBase, from: number): Promise<readonly FailingWebhook[]> {
  if (!(await hasTable(client, `${webhookSchema}.attempts`))) return [];
  // The condition on outcomes has to match the partial index attempts_failed.
  const { rows } = await client.query<FailingWebhook>(
    `select webhook_id as "webhookId", count(*)::int as failed from ${webhookSchema}.attempts
     where at >= $1 and outcome in ('retry', 'dead') group by 1 order by 2 desc, 1 limit $2`,
    [toSqlTime(from), MOST_FAILING],
  );
  return rows;
}
