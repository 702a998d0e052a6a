/**
 * Records completions: writes their messages and commits the positions of their partitions, in one transaction.
 *
 *   idle ──record()──▶ gathering ──▶ committing ──done──▶ onRecorded, then gathering or idle
 *    │  ▲                               ▲
 *    │  └──────────────────done─────────┤
 *    └──an hour without a commit────────┘
 *
 * One transaction runs at a time. Completions that arrive in the meantime are recorded in the next one, so transactions
 * grow with the load. A transaction costs about the same at any size. After a commit, each partition of a process
 * therefore pauses for as long as the other partitions need. Without the pause, four partitions send 12 % fewer
 * requests than one.
 *
 * Completions beyond an unfinished message do not wait for it: the metadata of the position lists them
 * (shared/events/delivery-progress.ts). As a result, a hanging endpoint, a long queue or a run without quota does not
 * delay other completions, and after a crash, only requests whose outcome was in no transaction are repeated. Waiting
 * for all older messages would be simpler. However, while several hundred batches are queued for an endpoint with a
 * response time of 200 ms, minutes of other webhooks' deliveries would stay unrecorded, and all of them would be
 * repeated after a crash.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressedMessage } from '../../../../shared/kafka/transactor.ts';
import type { CommitSurely } from './commit-surely.ts';
import type { PartitionProgress } from './partition-progress.ts';
import { Signal } from './signal.ts';

/** Entries to write to webhook-sequences. */
export interface SequenceWrite {
  readonly messages: readonly AddressedMessage[];
  readonly onCommitted: () => void;
}

/** A processed message: its place in the log, and the messages to write for its outcome. */
export interface Completion {
  readonly progress: PartitionProgress;
  readonly offset: bigint;
  readonly messages: readonly AddressedMessage[];
  readonly onRecorded: () => void;
}

interface RecorderOptions {
  /** Returns the sequence numbers to write with the next transaction. */
  takeSequences(): SequenceWrite;
  /** The number of other partitions whose completions this process records. */
  neighbours(): number;
}

/** Brokers delete a group's offsets a week after the last commit (`offsets.retention.minutes`). */
const RECOMMIT_AFTER_MS = 3_600_000;
const MAX_PAUSE_MS = 100;

export class Recorder {
  /** Rejects if recording has become impossible. Otherwise settles after `close`. */
  readonly done: Promise<void>;
  readonly #commit: CommitSurely;
  readonly #partitions: readonly PartitionProgress[];
  readonly #options: RecorderOptions;
  readonly #news = new Signal();
  readonly #flushWaiters: (() => void)[] = [];
  #waiting: Completion[] = [];
  #isRecommitDue = false;
  #isClosed = false;
  readonly #recommitTimer = setInterval(() => {
    this.#isRecommitDue = true;
    this.#news.raise();
  }, RECOMMIT_AFTER_MS).unref();

  /** `partitions` are all partitions from which completions may come. */
  constructor(
    commit: CommitSurely,
    partitions: readonly PartitionProgress[],
    options: RecorderOptions,
  ) {
    this.#commit = commit;
    this.#partitions = partitions;
    this.#options = options;
    this.done = this.#run();
  }

  record(completion: Completion): void {
    this.#waiting.push(completion);
    this.#news.raise();
  }

  /** Starts a transaction if there are sequence numbers to write. */
  wake(): void {
    this.#news.raise();
  }

  /** Resolves when all completions so far have been recorded. */
  flushed(): Promise<void> {
    return new Promise((resolve) => {
      this.#flushWaiters.push(resolve);
      this.#news.raise();
    });
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#recommitTimer);
    this.#news.raise();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      if (this.#isRecommitDue) await this.#recommit();
      while (await this.#recordPortion());
      if (this.#waiting.length === 0) {
        for (const resolve of this.#flushWaiters.splice(0)) resolve();
      }
      await this.#news.raised();
    }
  }

  async #recordPortion(): Promise<boolean> {
    const { portion, rest } = takePortion(this.#waiting);
    const { steps, recorded, left } = planCommit(portion);
    this.#waiting = [...rest, ...left];
    const sequences = this.#options.takeSequences();
    if (recorded.length === 0 && sequences.messages.length === 0) return false;
    const messages = recorded.flatMap((completion) => completion.messages);
    const positions = steps.map(([, step]) => step.position);
    const begin = performance.now();
    const commit = { messages, positions, sequences: sequences.messages };
    if (!(await this.#commit(commit, () => this.#isClosed))) return false;
    sequences.onCommitted();
    for (const [progress, step] of steps) progress.record(step);
    for (const completion of recorded) completion.onRecorded();
    await this.#pauseAfter(performance.now() - begin);
    return true;
  }

  async #pauseAfter(commitMs: number): Promise<void> {
    const pauseMs = this.#isClosed
      ? 0
      : Math.min(commitMs * this.#options.neighbours(), MAX_PAUSE_MS);
    if (pauseMs > 0) await sleep(pauseMs);
  }

  async #recommit(): Promise<void> {
    this.#isRecommitDue = false;
    const positions = this.#partitions.map((progress) => progress.stepWith(new Set()).position);
    await this.#commit({ messages: [], positions, sequences: [] }, () => this.#isClosed);
  }
}

/**
 * Decides which completions one transaction records. The completions in `left` do not fit into the metadata of their
 * partition.
 */
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

interface Portionable {
  readonly messages: readonly {
    readonly topic: string;
    readonly partition: number;
    readonly value: Buffer;
  }[];
}

/**
 * kafkajs puts all messages for a partition into one record batch, and brokers reject batches above 1 MiB
 * (`message.max.bytes`).
 */
const MAX_BYTES_PER_PARTITION = 800_000;
const MAX_COMPLETIONS = 5_000;
/** The bytes of one message's headers, key and framing. */
const OVERHEAD_BYTES = 120;

/** Returns the first completions that fit into one transaction, but at least one if there are any. */
export function takePortion<Completion extends Portionable>(
  completions: readonly Completion[],
): { readonly portion: readonly Completion[]; readonly rest: readonly Completion[] } {
  const bytes = new Map<string, number>();
  let count = 0;
  for (const { messages } of completions) {
    for (const { topic, partition, value } of messages) {
      const place = `${topic}/${partition}`;
      bytes.set(place, (bytes.get(place) ?? 0) + value.length + OVERHEAD_BYTES);
    }
    const isFull =
      count >= MAX_COMPLETIONS || Math.max(...bytes.values()) > MAX_BYTES_PER_PARTITION;
    if (isFull && count > 0) break;
    count += 1;
  }
  return { portion: completions.slice(0, count), rest: completions.slice(count) };
}
