import type { ClientBase } from 'pg';

/** Counters: increments summed over all processes. */
export const countNames = [
  'changes',
  'answers2xx',
  'answers4xx',
  'answers5xx',
  'deliveriesOk',
  'deliveriesFailed',
] as const;
/** Gauges: values for all processes together. */
export const gaugeNames = ['queueWaiting', 'queueSeconds', 'lagEntries', 'lagSeconds'] as const;

export type CountName = (typeof countNames)[number];
export type GaugeName = (typeof gaugeNames)[number];
export type Numbers<Name extends string = string> = Readonly<Partial<Record<Name, number>>>;

/** The activity of an installation during an interval. Values that were not measured are missing rather than 0. */
export interface SeriesSample {
  /** The end of the interval, in milliseconds since 1970. */
  readonly at: number;
  /** The length of the interval. */
  readonly seconds: number;
  readonly counts: Numbers<CountName>;
  readonly gauges: Numbers<GaugeName>;
  /** Number of requests per latency bucket, keyed by upper bound in seconds; the last bucket is `+Inf`. */
  readonly latency: Numbers;
}

/** Merges samples: adds up counts and keeps the worst value of each gauge. */
export function mergeSamples(samples: readonly SeriesSample[], at: number): SeriesSample {
  return {
    at,
    seconds: samples.reduce((sum, { seconds }) => sum + seconds, 0),
    counts: addUp(samples.map(({ counts }) => counts)),
    gauges: worstOf(samples.map(({ gauges }) => gauges)),
    latency: addUp(samples.map(({ latency }) => latency)),
  };
}

/** Adds up the values of each name, ignoring missing ones. */
export function addUp<Name extends string>(all: readonly Numbers<Name>[]): Numbers<Name> {
  return combine(all, (one, other) => one + other);
}

/** Returns the largest value of each name, ignoring missing ones. */
export function worstOf<Name extends string>(all: readonly Numbers<Name>[]): Numbers<Name> {
  return combine(all, Math.max);
}

function combine<Name extends string>(
  all: readonly Numbers<Name>[],
  both: (one: number, other: number) => number,
): Numbers<Name> {
  const combined: Partial<Record<string, number>> = {};
  for (const [name, value] of all.flatMap((numbers) =>
    Object.entries<number>(numbers as Record<string, number>),
  )) {
    const before = combined[name];
    combined[name] = before === undefined ? value : both(before, value);
  }
  return combined as Numbers<Name>;
}

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
