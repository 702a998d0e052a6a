/**
 * Records completions: their messages and the positions of their partitions, in one transaction.
 *
 *   idle ──record()──▶ gathering ──▶ committing ──done──▶ onRecorded, then gathering or idle
 *    │  ▲                               ▲
 *    │  └──────────────────done─────────┤
 *    └──an hour without a commit────────┘
 *
 * There is one transaction at a time. Completions that arrive meanwhile are in the next one, so transactions grow with the
 * load. A transaction costs about the same whatever its size, so each partition of a process pauses after a commit for as
 * long as its neighbours need: without the pause, four partitions send 12 % fewer requests than one.
 *
 * Completions beyond an unfinished message do not wait for it: they are metadata of the position
 * (shared/events/delivery-progress.ts). So an endpoint that hangs, a long lane, or a run without permits does not delay the completions
 * of others, and a crash repeats only requests that were in no transaction. Waiting for all older messages would be
 * simpler, but a lane of some hundred batches at an endpoint of 200 ms would leave minutes of its neighbours' deliveries
 * unrecorded, and a crash would repeat all of them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressedMessage } from '../../../../shared/kafka/transactor.ts';
import { type CommitSurelyDeps, createCommitSurely } from './commit-surely.ts';
import type { PartitionProgress } from './partition-progress.ts';
import { Signal } from './signal.ts';
import { takePortion } from './take-portion.ts';

interface RecorderDeps extends CommitSurelyDeps {
  /** Every partition that completions may come from. */
  readonly partitions: readonly PartitionProgress[];
  /** Returns the sequence numbers to write with the next transaction. */
  takeSequences(): SequenceWrite;
  /** The number of other partitions whose completions this process records. */
  neighbours(): number;
}

/** Entries of webhook-sequences. */
export interface SequenceWrite {
  readonly messages: readonly AddressedMessage[];
  readonly onCommitted: () => void;
}

/** A processed message of the log: its place, and the messages that its outcome writes. */
export interface Completion {
  readonly progress: PartitionProgress;
  readonly offset: bigint;
  readonly messages: readonly AddressedMessage[];
  readonly onRecorded: () => void;
}

export interface Recorder {
  record(completion: Completion): void;
  /** Starts a transaction for sequence numbers, if there are any to write. */
  wake(): void;
  /** Resolves when every completion so far is recorded. */
  flushed(): Promise<void>;
  close(): void;
  /** Rejects if recording has become impossible. Settles after close. */
  readonly done: Promise<void>;
}

/** Brokers delete a group's offsets a week after the last commit (`offsets.retention.minutes`). */
const RECOMMIT_AFTER_MS = 3_600_000;
const MAX_PAUSE_MS = 100;

export function runRecorder(deps: RecorderDeps): Recorder {
  const commitSurely = createCommitSurely(deps);
  const news = new Signal();
  const flushWaiters: (() => void)[] = [];
  let waiting: Completion[] = [];
  let isRecommitDue = false;
  let isClosed = false;
  const recommitTimer = setInterval(() => {
    isRecommitDue = true;
    news.raise();
  }, RECOMMIT_AFTER_MS).unref();

  async function run(): Promise<void> {
    while (!isClosed) {
      if (isRecommitDue) await recommit();
      while (await recordPortion());
      if (waiting.length === 0) endFlushes();
      await news.raised();
    }
  }

  function endFlushes(): void {
    for (const resolve of flushWaiters.splice(0)) resolve();
  }

  async function recordPortion(): Promise<boolean> {
    const { portion, rest } = takePortion(waiting);
    const { steps, recorded, left } = planCommit(portion);
    waiting = [...rest, ...left];
    const sequences = deps.takeSequences();
    if (recorded.length === 0 && sequences.messages.length === 0) return false;
    const messages = recorded.flatMap((completion) => completion.messages);
    const positions = steps.map(([, step]) => step.position);
    const begin = performance.now();
    const commit = { messages, positions, sequences: sequences.messages };
    if (!(await commitSurely(commit, () => isClosed))) return false;
    sequences.onCommitted();
    for (const [progress, step] of steps) progress.record(step);
    for (const completion of recorded) completion.onRecorded();
    await pauseAfter(performance.now() - begin);
    return true;
  }

  async function pauseAfter(commitMs: number): Promise<void> {
    const pauseMs = isClosed ? 0 : Math.min(commitMs * deps.neighbours(), MAX_PAUSE_MS);
    if (pauseMs > 0) await sleep(pauseMs);
  }

  async function recommit(): Promise<void> {
    isRecommitDue = false;
    const positions = deps.partitions.map((progress) => progress.stepWith(new Set()).position);
    await commitSurely({ messages: [], positions, sequences: [] }, () => isClosed);
  }

  return {
    done: run(),
    record(completion) {
      waiting.push(completion);
      news.raise();
    },
    wake: () => news.raise(),
    flushed: () =>
      new Promise((resolve) => {
        flushWaiters.push(resolve);
        news.raise();
      }),
    close() {
      isClosed = true;
      clearInterval(recommitTimer);
      news.raise();
    },
  };
}

/** Decides which completions one transaction records. The completions in `left` do not fit into the metadata of their partition. */
function planCommit(completions: readonly Completion[]) {
  const byPartition = Map.groupBy(completions, ({ progress }) => progress);
  const steps = new Map(
    [...byPartition].map(([progress, ended]) => [
      progress,
      progress.stepWith(new Set(ended.map(({ offset }) => offset))),
    ]),
  );
  const isRecorded = ({ progress, offset }: Completion) =>
    steps.get(progress)?.recorded.has(offset) === true;
  return {
    steps: [...steps].filter(([, step]) => step.recorded.size > 0),
    recorded: completions.filter(isRecorded),
    left: completions.filter((completion) => !isRecorded(completion)),
  };
}
