import type { ClientBase } from 'pg';
import type { SeriesSample } from './sample.ts';

/** The schema of what charts show. A projector fills it, and a rebuild of the read model leaves it alone. */
export const seriesSchema = 'annals_series';

type SampleRow = Omit<SeriesSample, 'at'> & { readonly at_ms: string };

/** Those that ended after the one time, and up to the other one, oldest first. Times in milliseconds since 1970. */
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
