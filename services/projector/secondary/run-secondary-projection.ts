/**
 * Projects topics other than those of records into Postgres:
 *
 *   idle ──assigned──▶ read ──▶ one transaction {rows, positions} ──▶ read
 *                       ▲                                              │
 *                       └── load positions ◀── position moved by another projector, or a failure (wait, retry)
 *
 * A secondary projection has its own connections and transactions, and never delays the projection of records.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { outageOf } from '../../../shared/db/outage-of.ts';
import { isRefusedByTables } from '../../../shared/db/refused-by-tables.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { LaterVersion } from '../../../shared/events/later-version.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  type FetchedPartition,
  type PartitionPosition,
  type ReadOptions,
  type ReadPartition,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';
import type { BaseContext } from '../context.ts';
import {
  ensureSecondaryTables,
  loadSecondaryPositions,
  PositionsMoved,
  type StoragePlan,
  storeOnce,
} from './positions.ts';

/** Which topics to read and store, and how. */
interface SecondaryPlan extends StoragePlan {
  /** The name of the projection in log lines. */
  readonly what: string;
  readonly read: ReadOptions;
  /** Called after each read, even if it returned no messages. */
  afterRead(client: Client, read: readonly FetchedPartition[]): Promise<void>;
}

export interface SecondaryProjection {
  assign(isOurs: boolean): void;
  /** Whether the projection is blocked by a message from a later version. */
  isHeld(): boolean;
  close(): Promise<void>;
}

const RETRY_AFTER_MS = 1_000;

export function runSecondaryProjection(
  context: BaseContext,
  plan: SecondaryPlan,
): SecondaryProjection {
  const { connect, crash, log } = context;
  const kafka = createKafkaConnection(context.kafka, log);
  let client: Client | undefined;
  let positions: readonly PartitionPosition[] | undefined;
  let isOurs = false;
  let isClosed = false;
  let isHeld = false;
  let wake: () => void = () => undefined;

  async function run(): Promise<void> {
    while (!isClosed) {
      try {
        if (isOurs) await storeNext();
        else await new Promise<void>((resolve) => (wake = resolve));
      } catch (err) {
        await recover(err);
      }
    }
  }

  async function storeNext(): Promise<void> {
    client ??= await connect();
    if (positions === undefined) {
      await ensureSecondaryTables(client, plan);
      positions = await loadSecondaryPositions(client, kafka, plan);
    }
    const from = positions;
    const read = await readPartitions(kafka, from, plan.read);
    if (read.length > 0) await storeOrIsolate(client, { plan, log }, read);
    isHeld = false;
    // A new assignment has cleared the positions in the meantime, so they are loaded again.
    if (positions === from) positions = advance(from, read);
    await plan.afterRead(client, read);
  }

  async function recover(err: unknown): Promise<void> {
    if (isClosed) return;
    if (!isTransient(err)) crash(err);
    isHeld = err instanceof LaterVersion;
    log[isHeld ? 'warn' : 'info']({ err }, `cannot store ${plan.what}; retrying`);
    const dropped = client;
    client = undefined;
    positions = undefined;
    await dropped?.end().catch(() => undefined);
    await sleep(RETRY_AFTER_MS);
  }

  const running = run();
  return {
    assign(ours) {
      if (ours && !isOurs) positions = undefined;
      isOurs = ours;
      if (!ours) isHeld = false;
      wake();
    },
    isHeld: () => isHeld,
    async close() {
      isClosed = true;
      wake();
      await kafka.close();
      await running;
      await client?.end();
    },
  };
}

interface Storing {
  readonly plan: SecondaryPlan;
  readonly log: Logger;
}

/** Stores the messages of a read. If the tables reject them, stores them one by one. */
async function storeOrIsolate(
  client: Client,
  storing: Storing,
  read: readonly FetchedPartition[],
): Promise<void> {
  try {
    await storeOnce(client, storing.plan, read);
  } catch (error) {
    if (!isRefusedByTables(error)) throw error;
    for (const single of read.flatMap(toSingleMessages)) await storeOrSkip(client, storing, single);
  }
}

/**
 * Skips a message that the tables reject. These tables are only copies for display, and the message stays in the topic.
 */
async function storeOrSkip(
  client: Client,
  { plan, log }: Storing,
  single: ReadPartition,
): Promise<void> {
  try {
    await storeOnce(client, plan, [single]);
  } catch (err) {
    if (!isRefusedByTables(err)) throw err;
    const { topic, partition, offset } = single;
    log.error({ err, topic, partition, offset: String(offset) }, `${plan.what}: message skipped`);
    await storeOnce(client, plan, [{ ...single, messages: [] }]);
  }
}

/** Splits a read into reads of one message each. The last one ends where the whole read ended. */
function toSingleMessages(read: ReadPartition): readonly ReadPartition[] {
  if (read.messages.length === 0) return [read];
  return read.messages.map((message, index) => ({
    ...read,
    messages: [message],
    offset: index === 0 ? read.offset : message.offset,
    nextOffset: read.messages[index + 1]?.offset ?? read.nextOffset,
  }));
}

function advance(
  positions: readonly PartitionPosition[],
  read: readonly ReadPartition[],
): readonly PartitionPosition[] {
  return positions.map((one) => {
    const { topic, partition } = one;
    const found = read.find((other) => other.topic === topic && other.partition === partition);
    return found === undefined ? one : { ...one, offset: found.nextOffset };
  });
}

function isTransient(err: unknown): boolean {
  return err instanceof Unavailable || err instanceof PositionsMoved || outageOf(err) !== undefined;
}
