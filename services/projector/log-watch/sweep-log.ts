/**
 * Reads the whole log slowly and repeatedly to detect damage. Otherwise, only a rebuild would read old entries, but
 * damage has to be detected while the log can still be restored from the read model. If entries are damaged, the read
 * fails, and the process's log guard reports it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import { createKafkaConnection, type KafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  type PartitionPosition,
  type ReadOptions,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';
import { runPeriodically } from '../../../shared/runtime/run-periodically.ts';
import type { OpenedContext } from '../context.ts';

interface LogSweep {
  /** Only the leader sweeps. */
  assign(isLeader: boolean): void;
  close(): Promise<void>;
}

const READ_EVERY_MS = 2_000;
const SWEEP_EVERY_MS = 10_000;
/** With the pause, this is half a megabyte per second, which takes well below 1 % of a core. */
const portion: ReadOptions = {
  maxWaitMs: 1,
  maxBytes: 1024 * 1024,
  maxBytesPerPartition: 256 * 1024,
};

export function sweepLog({ config, kafka: address, log }: OpenedContext): LogSweep {
  const { directory, records, files } = config.topics;
  // The offsets of these topics start at 0 and have no gaps.
  const topics = [directory, records, files];
  const kafka = createKafkaConnection(address, log);
  const stopping = new AbortController();
  const { signal } = stopping;
  let isLeader = false;

  async function sweep(): Promise<void> {
    let left = isLeader ? await findAll(kafka, topics) : [];
    while (left.length > 0 && isLeader && !signal.aborted) {
      left = await readPortion(kafka, left);
      await sleep(READ_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  const sweeping = runPeriodically(sweep, { log, what: 'log', everyMs: SWEEP_EVERY_MS });
  return {
    assign(leads) {
      isLeader = leads;
    },
    async close() {
      stopping.abort();
      await kafka.close();
      await sweeping.close();
    },
  };
}

interface Unread extends PartitionPosition {
  readonly end: bigint;
}

async function findAll(
  kafka: KafkaConnection,
  topics: readonly string[],
): Promise<readonly Unread[]> {
  const ends: PartitionPosition[] = [];
  for (const topic of topics) ends.push(...(await readEnds(kafka, topic)));
  return ends.map((end) => ({ ...end, offset: 0n, end: end.offset })).filter(({ end }) => end > 0n);
}

/** Reads a portion, and returns the positions from which to continue. */
async function readPortion(
  kafka: KafkaConnection,
  left: readonly Unread[],
): Promise<readonly Unread[]> {
  const read = await readPartitions(kafka, left, portion);
  if (read.length === 0) return [];
  return left
    .map((position) => ({
      ...position,
      offset: read.find((one) => isSame(one, position))?.nextOffset ?? position.offset,
    }))
    .filter(({ offset, end }) => offset < end);
}

const isSame = (one: PartitionPosition, other: PartitionPosition): boolean =>
  one.topic === other.topic && one.partition === other.partition;
