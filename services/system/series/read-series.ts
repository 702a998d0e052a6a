import type { Logger } from 'pino';
import type { Queryable } from '../../../shared/db/pool.ts';
import { countStored, findFailing, type StoredSeries } from './count-stored.ts';
import { drawRequests, type RequestSeries } from './draw-requests.ts';
import { queryPrometheus } from './query-prometheus.ts';
import type { RequestCounts } from './request-counts.ts';
import { frameOf, type SeriesRange, seriesRanges } from './series-frame.ts';

/** The sources of the numbers in charts. */
export interface SeriesSources {
  /** The connections for searches, which limit the time that a statement may take. */
  readonly database: Queryable;
  /** Returns the counts of all apis that respond. */
  readonly readRequests: () => Promise<readonly RequestCounts[]>;
  /** Replaces the counts of the apis if it is set. */
  readonly prometheusUrl: string | undefined;
  readonly now: () => number;
  readonly log: Logger;
}

export interface ReadSeries {
  readonly from: string;
  readonly to: string;
  readonly stepSeconds: number;
  readonly series: StoredSeries & RequestSeries;
  /** The webhooks with the most failed attempts, in descending order. */
  readonly failing: Awaited<ReturnType<typeof findFailing>>;
}

/** Reads the series and the failing webhooks of a range that ends now. */
export async function readSeries(sources: SeriesSources, range: SeriesRange): Promise<ReadSeries> {
  const { database, log, prometheusUrl, readRequests, now } = sources;
  const frame = frameOf(range, now());
  const fromMemory = async () => drawRequests(frame, await readRequests());
  const requests =
    prometheusUrl === undefined
      ? fromMemory()
      : queryPrometheus(prometheusUrl, frame).catch((err: unknown) => {
          log.warn({ err }, 'cannot read series from Prometheus; showing those of the apis');
          return fromMemory();
        });
  const [ofRequests, stored] = await Promise.all([requests, countStored(database, frame)]);
  return {
    from: new Date(frame.from).toISOString(),
    to: new Date(frame.to).toISOString(),
    stepSeconds: seriesRanges[range].stepSeconds,
    series: { ...stored, ...ofRequests },
    failing: await findFailing(database, frame),
  };
}
