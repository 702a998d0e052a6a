import { byBound } from '../../../shared/series/percentile.ts';
import {
  addUp,
  type CountName,
  type GaugeName,
  type Numbers,
  type SeriesSample,
  worstOf,
} from '../../../shared/series/sample.ts';
import { known, type ProcessNumbers } from './read-process.ts';

/** The last numbers of processes, by address. Times are in milliseconds since 1970. */
export interface Look {
  readonly at: number;
  /** The time of the first look: all numbers of a process that started later are newer than this. */
  readonly since: number;
  readonly processes: ReadonlyMap<string, Seen>;
}

type Seen = ProcessNumbers & { readonly seenAt: number };
type Answers = ReadonlyMap<string, ProcessNumbers>;

const FORGOTTEN_AFTER_MS = 86_400_000;
const MS = 1_000;

/** Keeps processes that did not respond: their counts belong to the step in which they respond again. */
export function updateLook(before: Look | undefined, answers: Answers, at: number): Look {
  const seen = [...answers].map(
    ([address, numbers]) => [address, { ...numbers, seenAt: at }] as const,
  );
  const all = new Map([...(before?.processes ?? []), ...seen]);
  return {
    at,
    since: before?.since ?? at,
    processes: new Map([...all].filter(([, { seenAt }]) => at - seenAt < FORGOTTEN_AFTER_MS)),
  };
}

/** Measures what happened between the previous look and these responses (`now`). `at` is the end of the step. */
export function measureStep(
  before: Look,
  answers: Answers,
  { at, now }: { readonly at: number; readonly now: number },
): SeriesSample {
  const grown = [...answers].flatMap(([address, numbers]) => {
    const base = baseOf(before, address, numbers);
    return base === undefined ? [] : [growthOf(base, numbers)];
  });
  return {
    at,
    seconds: (now - before.at) / MS,
    counts: addUp<CountName>(grown.map(({ counts }) => counts)),
    gauges: toGauges([...answers.values()]),
    latency: toBuckets(addUp(grown.map(({ latency }) => latency))),
  };
}

type Counted = Pick<ProcessNumbers, 'counts' | 'latency'>;
const nothing: Counted = { counts: {}, latency: {} };

/**
 * Returns the baseline of the growth: the numbers of the previous look, or nothing if the process has started since.
 * Undefined for a process that is seen for the first time but started earlier: the time of its counts is unknown.
 */
function baseOf(
  { processes, since }: Look,
  address: string,
  { startedAt }: ProcessNumbers,
): Counted | undefined {
  const known = processes.get(address);
  if (known !== undefined) return known.startedAt === startedAt ? known : nothing;
  return startedAt * MS > since ? nothing : undefined;
}

function growthOf(base: Counted, now: Counted): Counted {
  return {
    counts: difference(base.counts, now.counts),
    latency: difference(base.latency, now.latency),
  };
}

/** A counter that became smaller was reset. */
function difference<Name extends string>(base: Numbers<Name>, now: Numbers<Name>): Numbers<Name> {
  const entries = Object.entries<number>(now as Record<string, number>).map(([name, value]) => {
    const before = base[name as Name] ?? 0;
    return [name, value < before ? value : value - before];
  });
  return Object.fromEntries(entries) as Numbers<Name>;
}

function toGauges(processes: readonly ProcessNumbers[]): Numbers<GaugeName> {
  const { unmatched, batches, lagEntries } = addUp(processes.map(({ sums }) => sums));
  const { unmatchedSeconds, batchSeconds, lagSeconds } = worstOf(
    processes.map(({ worst }) => worst),
  );
  // The queue consists of unmatched changes and undelivered batches. One part alone would look like a short queue.
  const isQueueKnown = unmatched !== undefined && batches !== undefined;
  return known({
    queueWaiting: isQueueKnown ? unmatched + batches : undefined,
    queueSeconds: isQueueKnown ? Math.max(unmatchedSeconds ?? 0, batchSeconds ?? 0) : undefined,
    lagEntries,
    lagSeconds,
  });
}

/** Turns cumulative buckets into separate ones, and drops empty buckets. */
function toBuckets(upTo: Numbers): Numbers {
  let faster = 0;
  const buckets = byBound(upTo).map(({ name, requests }) => {
    const own = requests - faster;
    faster = requests;
    return [name, own] as const;
  });
  return Object.fromEntries(buckets.filter(([, requests]) => requests > 0));
}
