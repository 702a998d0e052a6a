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

/** The numbers of processes when they were last asked, by their addresses. Times in milliseconds since 1970. */
export interface Look {
  readonly at: number;
  /** When somebody first looked, so that what started later has all its numbers since then. */
  readonly since: number;
  readonly processes: ReadonlyMap<string, Seen>;
}

type Seen = ProcessNumbers & { readonly seenAt: number };
type Answers = ReadonlyMap<string, ProcessNumbers>;

const FORGOTTEN_AFTER_MS = 86_400_000;
const MS = 1_000;

/** One that did not answer is remembered: what it counts meanwhile belongs to the step in which it answers again. */
export function lookAgain(before: Look | undefined, answers: Answers, at: number): Look {
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

/** What happened from the look before to these answers, `now`; the step is called by its end, `at`. */
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
 * The numbers that those of now grew from: the ones of the look before, or nothing if the process started since.
 * Undefined for one that ran already, and is met for the first time: nobody knows when it counted what.
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

/** A counter that became smaller began again. */
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
  // Changes wait to be matched, then batches to be delivered: half of it would look like an empty queue.
  const isQueueKnown = unmatched !== undefined && batches !== undefined;
  return known({
    queueWaiting: isQueueKnown ? unmatched + batches : undefined,
    queueSeconds: isQueueKnown ? Math.max(unmatchedSeconds ?? 0, batchSeconds ?? 0) : undefined,
    lagEntries,
    lagSeconds,
  });
}

/** Each bucket without those that were faster, and only the ones with requests. */
function toBuckets(upTo: Numbers): Numbers {
  let faster = 0;
  const buckets = byBound(upTo).map(({ name, requests }) => {
    const own = requests - faster;
    faster = requests;
    return [name, own] as const;
  });
  return Object.fromEntries(buckets.filter(([, requests]) => requests > 0));
}
