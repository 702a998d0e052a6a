/**
 * Reads partitions and offers their messages, in order.
 *
 * A partition:  hungry ──fetched──▶ offering ──all taken──▶ hungry
 *                                     │   ▲
 *                       not due yet ──┤   ├── its time has come
 *                       no room ──────┘   └── resume(), or a while later
 *
 * One fetch at a time, for all hungry partitions together; the broker holds it until there is something, so a message
 * is offered as soon as it is readable. Nothing is waited for in the loop but the broker. What was fetched and not
 * taken stays here, at most one fetch per partition.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { type ReadMessage, type ReadOptions, readPartitions } from '../../../shared/kafka/read-partitions.ts';
import type { PartitionProgress } from './partition-progress.ts';
import { createSignal } from './signal.ts';

/** Taken, or to be offered again: after so many milliseconds, or when there is room. */
export type Reception = 'taken' | 'no room' | { readonly waitMs: number };

interface IntakeDeps {
  readonly connection: KafkaConnection;
  readonly partitions: readonly PartitionProgress[];
  readonly read: ReadOptions;
  offer(message: ReadMessage, from: PartitionProgress): Reception;
  readonly log: Logger;
}

export interface Intake {
  /** Offers again what found no room. */
  resume(): void;
  close(): Promise<void>;
  /** Rejects on a bug. */
  readonly done: Promise<void>;
}

interface Source {
  readonly progress: PartitionProgress;
  /** Next offset to fetch. */
  next: bigint;
  fetched: readonly ReadMessage[];
  taken: number;
  timer: NodeJS.Timeout | undefined;
}

const RETRY_AFTER_MS = 500;
const LOOK_AGAIN_MS = 250;
/** Node cannot count further than 2^31 ms. */
const MAX_TIMER_MS = 3_600_000;

export function runIntake(deps: IntakeDeps): Intake {
  const { connection, log } = deps;
  const sources = deps.partitions.map(
    (progress): Source => ({
      progress,
      next: progress.start,
      fetched: [],
      taken: 0,
      timer: undefined,
    }),
  );
  const blocked = new Set<Source>();
  const hungry = createSignal();
  let isClosed = false;

  async function run(): Promise<void> {
    while (!isClosed) {
      const wanted = sources.filter(({ fetched }) => fetched.length === 0);
      if (wanted.length === 0) await hungry.raised();
      else await fetchFor(wanted);
    }
  }

  async function fetchFor(wanted: readonly Source[]): Promise<void> {
    try {
      const positions = wanted.map(({ progress: { topic, partition }, next: offset }) => ({
        topic,
        partition,
        offset,
      }));
      for (const read of await readPartitions(connection, positions, deps.read)) {
        const source = wanted.find(
          ({ progress }) => progress.topic === read.topic && progress.partition === read.partition,
        );
        if (source === undefined || isClosed) continue;
        source.next = read.nextOffset;
        source.fetched = read.messages;
        offerFetched(source);
      }
    } catch (error) {
      if (isClosed) return;
      if (!(error instanceof Unavailable)) throw error;
      log.warn({ err: error }, 'webhook batches not readable');
      await sleep(RETRY_AFTER_MS);
    }
  }

  function offerFetched(source: Source): void {
    blocked.delete(source);
    clearTimeout(source.timer);
    while (!isClosed) {
      const message = source.fetched[source.taken];
      if (message === undefined) {
        finishFetched(source);
        return;
      }
      const reception = deps.offer(message, source.progress);
      if (reception !== 'taken') {
        waitWith(source, reception);
        return;
      }
      source.taken += 1;
    }
  }

  function finishFetched(source: Source): void {
    source.progress.passTo(source.next);
    source.fetched = [];
    source.taken = 0;
    hungry.raise();
  }

  function waitWith(source: Source, reception: Exclude<Reception, 'taken'>): void {
    if (reception === 'no room') blocked.add(source);
    const waitMs = reception === 'no room' ? LOOK_AGAIN_MS : reception.waitMs;
    source.timer = setTimeout(() => offerFetched(source), Math.min(waitMs, MAX_TIMER_MS));
  }

  return {
    done: run(),
    resume() {
      for (const source of [...blocked]) offerFetched(source);
    },
    async close() {
      isClosed = true;
      for (const { timer } of sources) clearTimeout(timer);
      hungry.raise();
      await connection.close();
    },
  };
}
