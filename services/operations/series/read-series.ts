import type { ClientBase } from 'pg';
import { hasTable } from '../../../shared/db/find-tables.ts';
import { toSqlTime, webhookSchema } from '../../../shared/db/tables/webhook-tables.ts';
import { readSamples, seriesSchema } from '../../../shared/series/sample-store.ts';
import { type DrawnSeries, drawSeries, framing } from './draw-series.ts';
import { type SeriesRange, seriesRanges } from './series-range.ts';

interface FailingWebhook {
  readonly webhookId: string;
  readonly failed: number;
}

export interface ReadSeries extends DrawnSeries {
  /** Those with the most attempts that failed, the most first. */
  readonly failing: readonly FailingWebhook[];
}

const MOST_FAILING = 10;

/** What charts of a range that ends now show. */
export async function readSeries(
  client: ClientBase,
  range: SeriesRange,
  now: number,
): Promise<ReadSeries> {
  const frame = seriesRanges[range];
  const isKept = await hasTable(client, `${seriesSchema}.samples`);
  const samples = isKept ? await readSamples(client, framing(frame, now)) : [];
  const drawn = drawSeries(samples, frame, now);
  return { ...drawn, failing: await readFailing(client, Date.parse(drawn.from)) };
}

/** As far back as Postgres keeps what became of deliveries. */
async function readFailing(client: ClientBase, from: number): Promise<readonly FailingWebhook[]> {
  if (!(await hasTable(client, `${webhookSchema}.attempts`))) return [];
  // The condition on outcomes is that of the index attempts_failed.
  const { rows } = await client.query<FailingWebhook>(
    `select webhook_id as "webhookId", count(*)::int as failed from ${webhookSchema}.attempts
     where at >= $1 and outcome in ('retry', 'dead') group by 1 order by 2 desc, 1 limit $2`,
    [toSqlTime(from), MOST_FAILING],
  );
  return rows;
}
