import type { ClientBase } from 'pg';
import type { SeriesSample } from './sample.ts';

/** The schema of the data for charts. A projector fills it; rebuilds of the read model do not touch it. */
export const seriesSchema = 'annals_series';

type SampleRow = Omit<SeriesSample, 'at'> & { readonly at_ms: string };

/** Returns the samples that ended after `after` and no later than `until`, oldest first. Times in ms since 1970. */
export async function readSamples(
  client: ClientBase,
  { after, until }: { readonly after: number; readonly until: number },
): Promise<readonly SeriesSample[]> {
  const { rows } = await client.query<SampleRow>(
    `select at_ms, seconds, counts, gauges, latency from ${seriesSchema}.samples
     where at_ms > $1 and at_ms <= $2 order by at_ms`,
    [after, until],
  );
  return rows.map(({ at_ms: at, ...sample }) => ({ ...sample, at: Number(at) }));
}
