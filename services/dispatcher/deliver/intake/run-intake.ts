/**
 * Reads ranges of partitions, which may be added and removed, and offers their messages in order.
 *
 * A range:      drained ──fetched──▶ offering ──all taken──▶ drained, or read to its end
 *                                      │   ▲
 *                        not due yet ──┤   ├── due
 *                        no room ──────┘   └── resume(), or a while later
 *
 * There is one fetch at a time, for the first drained range of each partition. The broker holds the fetch until there is
 * a message, so a message is offered as soon as it is readable. The loop waits only for the broker. Messages that were
 * fetched and not taken stay in memory, at most one fetch per range.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Unavailable } from '../../../../shared/domain/errors.ts';
import type { KafkaConnection } from '../../../../shared/kafka/connection.ts';
import {
  type PartitionPosition,
  type ReadMessage,
  type ReadOptions,
  type ReadPartition,
  readPartitions,
} from '../../../../shared/kafka/read-partitions.ts';
import type { Clock } from '../../../../shared/runtime/clock.ts';
import type { StorageWatch } from '../../../../shared/storage/watch-storage.ts';
import type { OffsetRange, PartitionProgress } from '../progress/partition-progress.ts';
import { Signal } from '../progress/signal.ts';

export interface IntakeDeps {
  readonly connection: KafkaConnection;
  readonly read: ReadOptions;
  /**
   * Resolves once the directory is read up to its end. Then every entry that is older than a fetched batch is known.
   */
  catchUp(): Promise<void>;
  /** Resolves once the disks have room for the messages that an event causes, or the work is cancelled. */
  readonly untilRoom: StorageWatch['untilRoom'];
  readonly clock: Clock;
  readonly log: Logger;
}

type Offer = (message: ReadMessage, from: PartitionProgress) => OfferResult;

export interface Intake {
  /** Starts reading a range of a partition. The returned function stops it. */
  add(progress: PartitionProgress, range: OffsetRange, offer: Offer): () => void;
  /** Offers messages again that did not get room. */
  resume(): void;
  close(): Promise<void>;
  /** Rejects on a bug. */
  readonly done: Promise<void>;
}

const RETRY_AFTER_MS = 500;

export function runIntake(deps: IntakeDeps): Intake {
  const { connection, read, catchUp, untilRoom, clock, log } = deps;
  const drained = new Signal();
  const sources = new Set<FetchedMessages>();
  let isClosed = false;
  let isUnreachable = false;

  async function run(): Promise<void> {
    while (!isClosed) {
      const wanted = firstOfEach([...sources].filter(({ isDrained }) => isDrained));
      if (wanted.length === 0) await drained.raised();
      else await fetchFor(wanted);
    }
  }

  async function fetchFor(wanted: readonly FetchedMessages[]): Promise<void> {
    const positions = wanted.map(({ position }) => position);
    const found = await readFrom(positions).catch(onError);
    if (isClosed) return;
    isUnreachable = found === undefined;
    for (const read of found ?? []) wanted.find((source) => isOf(source, read))?.accept(read);
    if (isUnreachable) await sleep(RETRY_AFTER_MS);
  }

  async function readFrom(
    positions: readonly PartitionPosition[],
  ): Promise<readonly ReadPartition[]> {
    await untilRoom(() => isClosed);
    const found = await readPartitions(connection, positions, read);
    if (found.length > 0) await catchUp();
    return found;
  }

  function onError(error: unknown): undefined {
    if (isClosed) return;
    if (!(error instanceof Unavailable)) throw error;
    if (!isUnreachable) log.warn({ err: error }, 'webhook batches not readable, retrying');
  }

  return {
    done: run(),
    add(progress, range, offer) {
      const onDrained = () => drained.raise();
      const source = offerFetched({ progress, range, clock, offer, onDrained });
      sources.add(source);
      drained.raise();
      return () => {
        sources.delete(source);
        source.close();
      };
    },
    resume() {
      for (const source of sources) source.resume();
    },
    async close() {
      isClosed = true;
      for (const source of sources) source.close();
      drained.raise();
      await connection.close();
    },
  };
}

/** Returns the first range of each partition, because a fetch reads one place of a partition. */
function firstOfEach(sources: readonly FetchedMessages[]): readonly FetchedMessages[] {
  const byPlace = Map.groupBy(
    sources,
    ({ position: { topic, partition } }) => `${topic}/${partition}`,
  );
  return [...byPlace.values()].flatMap(([first]) => first ?? []);
}

function isOf({ position }: FetchedMessages, read: ReadPartition): boolean {
  return position.topic === read.topic && position.partition === read.partition;
}

/** `taken`, or when to offer the message again: when there is room, or after a time. */
export type OfferResult = 'taken' | 'no room' | { readonly waitMs: number };

interface OfferFetchedDeps {
  readonly progress: PartitionProgress;
  readonly range: OffsetRange;
  readonly clock: Clock;
  offer(message: ReadMessage, from: PartitionProgress): OfferResult;
  /** Called when all fetched messages are taken, and the range may have further ones. */
  onDrained(): void;
}

/** The fetched messages of one range that are not taken yet. */
export interface FetchedMessages {
  /** All fetched messages are taken, and the range may have further ones. */
  readonly isDrained: boolean;
  /** The position of the next fetch. */
  readonly position: PartitionPosition;
  /** Offers the messages of a fetch. */
  accept(read: ReadPartition): void;
  /** Offers the next message again if it did not get room. */
  resume(): void;
  close(): void;
}

/** A lane that becomes slow also makes room, but causes no event. */
const LOOK_AGAIN_MS = 250;
/** Node's timers are limited to 2^31 ms. */
const MAX_TIMER_MS = 3_600_000;

export function offerFetched(deps: OfferFetchedDeps): FetchedMessages {
  const { progress, range, clock, offer, onDrained } = deps;
  const { topic, partition } = progress;
  let next = range.from;
  let fetched: readonly ReadMessage[] = [];
  let taken = 0;
  let isBlocked = false;
  let isClosed = false;
  let cancelTimer: () => void = () => undefined;

  function offerNext(): void {
    cancelTimer();
    isBlocked = false;
    for (let message = fetched[taken]; message !== undefined; message = fetched[taken]) {
      const result = offer(message, progress);
      if (result !== 'taken') {
        waitWith(result);
        return;
      }
      taken += 1;
    }
    progress.passTo(next);
    fetched = [];
    taken = 0;
    if (!isBeyond(next)) onDrained();
  }

  function isBeyond(offset: bigint): boolean {
    return range.to !== undefined && offset >= range.to;
  }

  function atMost(offset: bigint): bigint {
    return range.to !== undefined && offset > range.to ? range.to : offset;
  }

  function waitWith(result: Exclude<OfferResult, 'taken'>): void {
    isBlocked = result === 'no room';
    const waitMs = result === 'no room' ? LOOK_AGAIN_MS : result.waitMs;
    cancelTimer = clock.after(Math.min(waitMs, MAX_TIMER_MS), offerNext);
  }

  return {
    get isDrained() {
      return fetched.length === 0 && !isBeyond(next);
    },
    get position() {
      return { topic, partition, offset: next };
    },
    accept(read) {
      if (isClosed) return;
      next = atMost(read.nextOffset);
      fetched = read.messages.filter(({ offset }) => !isBeyond(offset));
      offerNext();
    },
    resume() {
      if (isBlocked) offerNext();
    },
    close() {
      isClosed = true;
      cancelTimer();
      fetched = [];
      isBlocked = false;
    },
  };
}
