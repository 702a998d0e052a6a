/**
 * Reads partitions, which may come and go, and offers their messages, in order.
 *
 * A range:      hungry ──fetched──▶ offering ──all taken──▶ hungry, or read to its end
 *                                     │   ▲
 *                       not due yet ──┤   ├── its time has come
 *                       no room ──────┘   └── resume(), or a while later
 *
 * One fetch at a time, for all hungry partitions together, with the first hungry range of each. The broker holds it until there is a message, so a message
 * is offered as soon as it is readable. The loop waits for nothing but the broker. Messages that were fetched and not
 * taken stay in memory, at most one fetch per range.
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
import { type FetchedMessages, type OfferResult, offerFetched } from './offer-fetched.ts';

export interface IntakeDeps {
  readonly connection: KafkaConnection;
  readonly read: ReadOptions;
  /**
   * Waits for the directory as it is now, so that everything in it before a batch was enqueued is known for that batch.
   */
  catchUp(): Promise<void>;
  /** Waits while a disk has no room for the messages that an event causes, or until the caller's work is cancelled. */
  readonly untilRoom: StorageWatch['untilRoom'];
  readonly clock: Clock;
  readonly log: Logger;
}

type Offer = (message: ReadMessage, from: PartitionProgress) => OfferResult;

export interface Intake {
  /** Also reads this range of a partition, until the function that it returns is called. */
  add(progress: PartitionProgress, range: OffsetRange, offer: Offer): () => void;
  /** Offers messages again that found no room. */
  resume(): void;
  close(): Promise<void>;
  /** Rejects on a bug. */
  readonly done: Promise<void>;
}

const RETRY_AFTER_MS = 500;

export function runIntake(deps: IntakeDeps): Intake {
  const { connection, read, catchUp, untilRoom, clock, log } = deps;
  const hungry = new Signal();
  const sources = new Set<FetchedMessages>();
  let isClosed = false;
  let isAway = false;

  async function run(): Promise<void> {
    while (!isClosed) {
      const wanted = firstOfEach([...sources].filter(({ isHungry }) => isHungry));
      if (wanted.length === 0) await hungry.raised();
      else await fetchFor(wanted);
    }
  }

  async function fetchFor(wanted: readonly FetchedMessages[]): Promise<void> {
    const positions = wanted.map(({ position }) => position);
    const answers = await readOn(positions).catch(onError);
    if (isClosed) return;
    isAway = answers === undefined;
    for (const answer of answers ?? []) wanted.find((source) => isOf(source, answer))?.give(answer);
    if (isAway) await sleep(RETRY_AFTER_MS);
  }

  async function readOn(
    positions: readonly PartitionPosition[],
  ): Promise<readonly ReadPartition[]> {
    await untilRoom(() => isClosed);
    const answers = await readPartitions(connection, positions, read);
    if (answers.length > 0) await catchUp();
    return answers;
  }

  function onError(error: unknown): undefined {
    if (isClosed) return;
    if (!(error instanceof Unavailable)) throw error;
    if (!isAway) log.warn({ err: error }, 'webhook batches not readable, trying again');
  }

  return {
    done: run(),
    add(progress, range, offer) {
      const onHungry = () => hungry.raise();
      const source = offerFetched({ progress, range, clock, offer, onHungry });
      sources.add(source);
      hungry.raise();
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
      hungry.raise();
      await connection.close();
    },
  };
}

/** The first range of each partition: a fetch reads one place of a partition. */
function firstOfEach(hungry: readonly FetchedMessages[]): readonly FetchedMessages[] {
  const byPlace = Map.groupBy(
    hungry,
    ({ position: { topic, partition } }) => `${topic}/${partition}`,
  );
  return [...byPlace.values()].flatMap(([first]) => first ?? []);
}

function isOf({ position }: FetchedMessages, answer: ReadPartition): boolean {
  return position.topic === answer.topic && position.partition === answer.partition;
}
