/**
 * Reads ranges of offsets from partitions, and offers their messages in order. Ranges can be added and removed.
 *
 * A range:      drained ──fetched──▶ offering ──all taken──▶ drained, or read to its end
 *                                      │   ▲
 *                        not due yet ──┤   ├── due
 *                        no room ──────┘   └── resume(), or a while later
 *
 * One fetch runs at a time, for the first drained range of each partition. The broker holds the fetch until there is a
 * message, so a message is offered as soon as it is readable. The loop waits only for the broker. Fetched messages stay
 * in memory until they are taken, so memory holds at most one fetch per range.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../../../shared/domain/errors.ts';
import {
  createKafkaConnection,
  type KafkaConnection,
} from '../../../../shared/kafka/connection.ts';
import {
  type PartitionPosition,
  type ReadMessage,
  type ReadOptions,
  type ReadPartition,
  readPartitions,
} from '../../../../shared/kafka/read-partitions.ts';
import type { Clock } from '../../../../shared/runtime/clock.ts';
import type { DispatcherContext } from '../../context.ts';
import type { OffsetRange, PartitionProgress } from '../progress/partition-progress.ts';
import { Signal } from '../progress/signal.ts';

/** `taken`, or when to offer the message again: once there is room, or after `waitMs`. */
export type OfferResult = 'taken' | 'no room' | { readonly waitMs: number };
export type Offer = (message: ReadMessage, from: PartitionProgress) => OfferResult;

const RETRY_AFTER_MS = 500;
/**
 * A blocked message can be taken without new room, because the batches of a queue that has become slow are postponed.
 * No event reports that.
 */
const LOOK_AGAIN_MS = 250;
/** Node's timers are limited to 2^31 ms. */
const MAX_TIMER_MS = 3_600_000;

export class BatchFetcher {
  readonly #context: DispatcherContext;
  readonly #connection: KafkaConnection;
  readonly #options: ReadOptions;
  readonly #drained = new Signal();
  readonly #ranges = new Set<FetchedRange>();
  #isClosed = false;
  #isUnreachable = false;
  /** Rejects if a bug stops the loop. */
  readonly done: Promise<void>;

  constructor(context: DispatcherContext, options: ReadOptions) {
    this.#context = context;
    this.#connection = createKafkaConnection(context.kafka, context.log);
    this.#options = options;
    this.done = this.#run();
  }

  /** Starts reading a range of a partition. The returned function stops it. */
  add(progress: PartitionProgress, range: OffsetRange, offer: Offer): () => void {
    const { clock } = this.#context;
    const onDrained = () => this.#drained.raise();
    const added = new FetchedRange(progress, range, { clock, offer, onDrained });
    this.#ranges.add(added);
    this.#drained.raise();
    return () => {
      this.#ranges.delete(added);
      added.close();
    };
  }

  /** Offers again the messages that had to wait for room. */
  resume(): void {
    for (const range of this.#ranges) range.resume();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const range of this.#ranges) range.close();
    this.#drained.raise();
    await this.#connection.close();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      const wanted = firstOfEach([...this.#ranges].filter(({ isDrained }) => isDrained));
      if (wanted.length === 0) await this.#drained.raised();
      else await this.#fetch(wanted);
    }
  }

  async #fetch(wanted: readonly FetchedRange[]): Promise<void> {
    const found = await this.#read(wanted.map(({ position }) => position));
    if (this.#isClosed) return;
    this.#isUnreachable = found === undefined;
    for (const read of found ?? []) wanted.find((range) => isOf(range, read))?.accept(read);
    if (this.#isUnreachable) await sleep(RETRY_AFTER_MS);
  }

  /** Returns undefined if Kafka is unreachable. */
  async #read(
    positions: readonly PartitionPosition[],
  ): Promise<readonly ReadPartition[] | undefined> {
    const { catchUp, log, untilRoom } = this.#context;
    try {
      await untilRoom(() => this.#isClosed);
      const found = await readPartitions(this.#connection, positions, this.#options);
      // After this, the process has read every directory entry that is older than the fetched batches.
      if (found.length > 0) await catchUp();
      return found;
    } catch (err) {
      if (this.#isClosed) return undefined;
      if (!(err instanceof Unavailable)) throw err;
      if (!this.#isUnreachable) log.warn({ err }, 'webhook batches could not be read, retrying');
      return undefined;
    }
  }
}

/** Returns the first range of each partition, because a fetch reads each partition at one position only. */
function firstOfEach(ranges: readonly FetchedRange[]): readonly FetchedRange[] {
  const byPlace = Map.groupBy(
    ranges,
    ({ position: { topic, partition } }) => `${topic}/${partition}`,
  );
  return [...byPlace.values()].flatMap(([first]) => first ?? []);
}

function isOf({ position }: FetchedRange, read: ReadPartition): boolean {
  return position.topic === read.topic && position.partition === read.partition;
}

interface RangeOptions {
  readonly clock: Clock;
  readonly offer: Offer;
  /** Called when all fetched messages have been taken and the range may contain more. */
  onDrained(): void;
}

/** The fetched messages of one range that have not been taken yet. */
export class FetchedRange {
  readonly #progress: PartitionProgress;
  readonly #to: bigint | undefined;
  readonly #options: RangeOptions;
  #next: bigint;
  #fetched: readonly ReadMessage[] = [];
  #taken = 0;
  #isBlocked = false;
  #isClosed = false;
  #cancelTimer: () => void = () => undefined;

  constructor(progress: PartitionProgress, { from, to }: OffsetRange, options: RangeOptions) {
    this.#progress = progress;
    this.#next = from;
    this.#to = to;
    this.#options = options;
  }

  /** True if all fetched messages have been taken and the range may contain more. */
  get isDrained(): boolean {
    return this.#fetched.length === 0 && !this.#isBeyond(this.#next);
  }

  /** The position of the next fetch. */
  get position(): PartitionPosition {
    const { topic, partition } = this.#progress;
    return { topic, partition, offset: this.#next };
  }

  /** Adds the messages from a fetch, and starts to offer them. */
  accept({ messages, nextOffset }: ReadPartition): void {
    if (this.#isClosed) return;
    this.#next = this.#to !== undefined && nextOffset > this.#to ? this.#to : nextOffset;
    this.#fetched = messages.filter(({ offset }) => !this.#isBeyond(offset));
    this.#offerNext();
  }

  /** Offers the next message again if it had to wait for room. */
  resume(): void {
    if (this.#isBlocked) this.#offerNext();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
    this.#fetched = [];
    this.#isBlocked = false;
  }

  #offerNext(): void {
    this.#cancelTimer();
    this.#isBlocked = false;
    for (
      let message = this.#fetched[this.#taken];
      message !== undefined;
      message = this.#fetched[this.#taken]
    ) {
      const result = this.#options.offer(message, this.#progress);
      if (result !== 'taken') {
        this.#isBlocked = result === 'no room';
        const waitMs = result === 'no room' ? LOOK_AGAIN_MS : Math.min(result.waitMs, MAX_TIMER_MS);
        this.#cancelTimer = this.#options.clock.after(waitMs, () => this.#offerNext());
        return;
      }
      this.#taken += 1;
    }
    this.#progress.passTo(this.#next);
    this.#fetched = [];
    this.#taken = 0;
    if (!this.#isBeyond(this.#next)) this.#options.onDrained();
  }

  #isBeyond(offset: bigint): boolean {
    return this.#to !== undefined && offset >= this.#to;
  }
}
