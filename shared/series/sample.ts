/** What grew, summed over all processes. */
export const countNames = [
  'changes',
  'answers2xx',
  'answers4xx',
  'answers5xx',
  'deliveriesOk',
  'deliveriesFailed',
] as const;
/** What stood somewhere, for all processes together. */
export const gaugeNames = ['queueWaiting', 'queueSeconds', 'lagEntries', 'lagSeconds'] as const;

export type CountName = (typeof countNames)[number];
export type GaugeName = (typeof gaugeNames)[number];
export type Numbers<Name extends string = string> = Readonly<Partial<Record<Name, number>>>;

/** What an installation did in a stretch of time. What nobody measured is missing, and not 0. */
export interface SeriesSample {
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
  /** How long it was. */
  readonly seconds: number;
  readonly counts: Numbers<CountName>;
  readonly gauges: Numbers<GaugeName>;
  /** Requests by the upper bound in seconds of the bucket of their latency; the last bucket is `+Inf`. */
  readonly latency: Numbers;
}

/** One sample for all of these: counts add up, and of what stood somewhere the worst stays. */
export function mergeSamples(samples: readonly SeriesSample[], at: number): SeriesSample {
  return {
    at,
    seconds: samples.reduce((sum, { seconds }) => sum + seconds, 0),
    counts: addUp(samples.map(({ counts }) => counts)),
    gauges: worstOf(samples.map(({ gauges }) => gauges)),
    latency: addUp(samples.map(({ latency }) => latency)),
  };
}

/** Of each name the sum, of those that have it. */
export function addUp<Name extends string>(all: readonly Numbers<Name>[]): Numbers<Name> {
  return combine(all, (one, other) => one + other);
}

/** Of each name the largest number, of those that have it. */
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
