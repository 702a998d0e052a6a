/**
 * Records completions: their messages and the positions of their partitions, in one transaction.
 *
 *   idle ──record()──▶ gathering ──▶ committing ──done──▶ onRecorded, then gathering or idle
 *    │  ▲                               ▲
 *    │  └──────────────────done─────────┤
 *    └──an hour without a commit────────┘
 *
 * One transaction at a time. Completions that arrive meanwhile go into the next one, so transactions grow with the load.
 * Sending never waits for them. A transaction costs the same whatever its size, so partitions of one process pause
 * between theirs as long as their neighbours need: without that, four partitions send 12 % fewer requests than one.
 *
 * Completions beyond an unfinished message do not wait for it: the position keeps them as metadata (progress-metadata.ts). So an
 * endpoint that hangs, a long lane, or a run whose permits are used up does not delay the completions of others, and a
 * crash repeats only requests that were in no transaction yet. Holding them until all older ones have ended would be
 * simpler, but a lane of some hundred batches at an endpoint of 200 ms would then keep minutes of its neighbours'
 * deliveries unrecorded, and a crash would send all of them again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { PositionWithMetadata, Transactor } from '../../../../shared/kafka/transactor.ts';
import { createCommitSurely } from './commit-surely.ts';
import type { PartitionProgress } from './partition-progress.ts';
import { type Completion, planCommit } from './plan-commit.ts';
import { createSignal } from './signal.ts';
import { takePortion } from './take-portion.ts';

interface RecorderDeps {
  readonly transactor: Transactor;
  /** The committed positions; those never committed are missing. */
  readonly stored: readonly PositionWithMetadata[];
  /** Every partition that completions may come from. */
  readonly partitions: readonly PartitionProgress[];
  /** The number of other partitions whose completions this process records. */
  neighbours(): number;
  readonly log: Logger;
}

export interface Recorder {
  record(completion: Completion): void;
  /** Resolves when every completion so far is recorded. */
  flushed(): Promise<void>;
  close(): void;
  /** Rejects if recording has become impossible. Settles after close. */
  readonly done: Promise<void>;
}

/** Brokers forget a group's offsets a week after their last commit (`offsets.retention.minutes`). */
const RECOMMIT_AFTER_MS = 3_600_000;
const MAX_PAUSE_MS = 100;

export function runRecorder(deps: RecorderDeps): Recorder {
  const { transactor, stored, partitions, log } = deps;
  const commitSurely = createCommitSurely({ transactor, stored, log });
  const news = createSignal();
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
    if (recorded.length === 0) return false;
    const messages = recorded.flatMap((completion) => completion.messages);
    const positions = steps.map(({ step }) => step.position);
    const begin = performance.now();
    if (!(await commitSurely({ messages, positions }, () => isClosed))) return false;
    for (const { progress, step } of steps) progress.record(step);
    for (const completion of recorded) completion.onRecorded();
    const commitMs = performance.now() - begin;
    const pauseMs = isClosed ? 0 : Math.min(commitMs * deps.neighbours(), MAX_PAUSE_MS);
    if (pauseMs > 0) await sleep(pauseMs);
    return true;
  }

  async function recommit(): Promise<void> {
    isRecommitDue = false;
    const positions = partitions.map((progress) => progress.stepWith(new Set()).position);
    await commitSurely({ messages: [], positions }, () => isClosed);
  }

  return {
    done: run(),
    record(completion) {
      waiting.push(completion);
      news.raise();
    },
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
