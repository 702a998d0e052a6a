/**
 * Records endings: their messages and the positions of their partitions, in one transaction.
 *
 *   empty ──record()──▶ gathering ──▶ committing ──committed──▶ onRecorded, empty or gathering again
 *                           ▲             │
 *                           │             └─unknown─▶ asking ──position is ours──▶ as committed
 *                           └──────position is the old one──┘  └─neither──▶ superseded: the process ends
 *
 * One transaction at a time; what ends meanwhile goes with the next one, so the busier it is the more each carries.
 * Sending never waits for it.
 *
 * Endings beyond an unfinished message are not held back: the position keeps a note of them (progress-note.ts). So an
 * endpoint that hangs, a long lane, or a run whose permits are used up delays nobody's record, and a crash repeats
 * only what was in no transaction yet. Holding them until all older ones have ended would be simpler, but a lane of
 * some hundred batches at an endpoint of 200 ms would then keep minutes of its neighbours' deliveries unrecorded,
 * and a crash would send all of them again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Unavailable } from '../../../shared/domain/errors.ts';
import {
  type AddressedMessage,
  type NotedPosition,
  type Transactor,
  TransactionSuperseded,
} from '../../../shared/kafka/transactor.ts';
import type { PartitionProgress } from './partition-progress.ts';
import { createSignal } from './signal.ts';
import { takePortion } from './take-portion.ts';

/** The ending of one message of the log. */
export interface Ending {
  readonly progress: PartitionProgress;
  readonly offset: bigint;
  readonly messages: readonly AddressedMessage[];
  readonly onRecorded: () => void;
}

export interface Recorder {
  record(ending: Ending): void;
  /** Answers when everything given is recorded. */
  flushed(): Promise<void>;
  close(): void;
  /** Rejects when recording is impossible for good. Settles after close. */
  readonly done: Promise<void>;
}

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 2_000;

export function runRecorder(
  transactor: Transactor,
  /** As they stand in the log; what was never committed is left out. */
  stored: readonly NotedPosition[],
  log: Logger,
): Recorder {
  const committed = new Map(stored.map((position) => [placeOf(position), textOf(position)]));
  const news = createSignal();
  const flushWaiters: (() => void)[] = [];
  let waiting: readonly Ending[] = [];
  let arrived: Ending[] = [];
  let isClosed = false;

  async function run(): Promise<void> {
    while (!isClosed) {
      const { portion, rest } = takePortion([...waiting, ...arrived]);
      arrived = [];
      const { positions, recorded, heldBack, steps } = planCommit(portion);
      waiting = [...rest, ...heldBack];
      if (recorded.length === 0) {
        if (waiting.length === 0) for (const resolve of flushWaiters.splice(0)) resolve();
        await news.raised();
        continue;
      }
      await commitSurely(recorded.flatMap(({ messages }) => messages), positions);
      if (isClosed) return;
      for (const { progress, step } of steps) progress.record(step);
      for (const ending of recorded) ending.onRecorded();
    }
  }

  /** Tries until it is committed, or this recorder is closed. */
  async function commitSurely(
    messages: readonly AddressedMessage[],
    positions: readonly NotedPosition[],
  ): Promise<void> {
    let isInDoubt = false;
    for (let delayMs = FIRST_DELAY_MS; !isClosed; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
      try {
        if (!isInDoubt || !(await isCommitted(positions))) {
          isInDoubt = true;
          await transactor.commit(messages, positions);
        }
        for (const position of positions) committed.set(placeOf(position), textOf(position));
        return;
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        log.warn({ err: error, endings: messages.length, delayMs }, 'endings not recorded yet');
        await sleep(delayMs);
      }
    }
  }

  /** After a failed commit only the log knows whether it took place. */
  async function isCommitted(wanted: readonly NotedPosition[]): Promise<boolean> {
    const [first] = wanted;
    if (first === undefined) return true;
    const found = (await transactor.notedPositions(first.topic)).find(
      ({ partition }) => partition === first.partition,
    );
    const text = found === undefined ? undefined : textOf(found);
    if (text === textOf(first)) return true;
    if (text === committed.get(placeOf(first))) return false;
    throw new TransactionSuperseded(`position of ${placeOf(first)} was moved by another process`);
  }

  return {
    done: run(),
    record(ending) {
      arrived.push(ending);
      news.raise();
    },
    flushed: () =>
      new Promise((resolve) => {
        flushWaiters.push(resolve);
        news.raise();
      }),
    close() {
      isClosed = true;
      news.raise();
    },
  };
}

function planCommit(portion: readonly Ending[]) {
  const byPartition = Map.groupBy(portion, ({ progress }) => progress);
  const steps = [...byPartition].map(([progress, endings]) => ({
    progress,
    step: progress.stepWith(new Set(endings.map(({ offset }) => offset))),
  }));
  const stepOf = new Map(steps.map(({ progress, step }) => [progress, step]));
  const isRecorded = ({ progress, offset }: Ending) =>
    stepOf.get(progress)?.recorded.has(offset) === true;
  return {
    steps,
    positions: steps.filter(({ step }) => step.recorded.size > 0).map(({ step }) => step.position),
    recorded: portion.filter(isRecorded),
    heldBack: portion.filter((ending) => !isRecorded(ending)),
  };
}

function placeOf({ topic, partition }: NotedPosition): string {
  return `${topic}/${partition}`;
}

function textOf({ offset, note = '' }: NotedPosition): string {
  return `${offset} ${note}`;
}
