/**
 * Keeps in Postgres what became of each batch of each webhook, for as long as the operator wants:
 *
 *   standing by ──assigned──▶ read ──▶ one transaction {rows, positions} ──▶ read
 *                              ▲                                              │
 *                              └── load positions ◀── moved by another, or Postgres or Kafka away (a while later)
 *
 * Beside the projection of records and never in its way: connections and transactions are its own.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { outageOf } from '../../../shared/db/outage-of.ts';
import { webhookSchema } from '../../../shared/db/webhook-tables.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  liveRead,
  type PartitionPosition,
  type ReadOptions,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';
import { dropDaysBefore, ensureAttemptTables } from './attempt-tables.ts';
import { AttemptsMoved, type AttemptTopics, storeAttempts } from './store-attempts.ts';

interface AttemptsDeps {
  readonly kafka: KafkaConnection;
  readonly topics: AttemptTopics;
  readonly connect: () => Promise<Client>;
  readonly retentionMs: number;
  readonly now: () => number;
  readonly log: Logger;
  onBug(error: unknown): void;
}

export interface AttemptsProjection {
  assign(isOurs: boolean): void;
  close(): Promise<void>;
}

const RETRY_AFTER_MS = 1_000;
const DROP_EVERY_MS = 600_000;
/**
 * At 200 deliveries a second, each would be a transaction of its own with ten statements and a flush, beside the writes
 * that are waited for. So what comes meanwhile goes together, unless there is a lot of it already.
 */
const GATHER_MS = 200;
const MANY_MESSAGES = 1_000;
const attemptsRead: ReadOptions = { ...liveRead, maxBytesPerPartition: 1024 * 1024 };

export function runAttempts(deps: AttemptsDeps): AttemptsProjection {
  const { kafka, log, now, retentionMs, topics } = deps;
  let client: Client | undefined;
  let positions: readonly PartitionPosition[] | undefined;
  let droppedAt = 0;
  let isOurs = false;
  let isClosed = false;
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
    client ??= await deps.connect();
    positions ??= await start(client);
    const read = await readPartitions(kafka, positions, attemptsRead);
    const located = read.flatMap((found) => {
      const from = positions?.find((one) => isSame(one, found));
      return from === undefined ? [] : [{ from, found }];
    });
    if (located.length > 0) {
      await storeAttempts(client, located, { topics, keptSince: now() - retentionMs });
      positions = positions.map((one) => {
        const moved = located.find(({ from }) => from === one);
        return moved === undefined ? one : { ...one, offset: moved.found.nextOffset };
      });
      const messages = located.reduce((sum, { found }) => sum + found.messages.length, 0);
      if (messages < MANY_MESSAGES) await sleep(GATHER_MS);
    }
    if (now() - droppedAt < DROP_EVERY_MS) return;
    droppedAt = now();
    await dropDaysBefore(client, now() - retentionMs);
  }

  async function start(connected: Client): Promise<readonly PartitionPosition[]> {
    await ensureAttemptTables(connected);
    return loadPositions(connected, kafka, topics);
  }

  async function recover(err: unknown): Promise<void> {
    if (isClosed) return;
    const isTransient =
      err instanceof Unavailable || err instanceof AttemptsMoved || outageOf(err) !== undefined;
    if (!isTransient) deps.onBug(err);
    log.info({ err }, 'webhook attempts not stored now');
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
      wake();
    },
    async close() {
      isClosed = true;
      wake();
      await kafka.close();
      await running;
      await client?.end();
    },
  };
}

async function loadPositions(
  client: Client,
  kafka: KafkaConnection,
  { webhookBatches, webhookAttempts }: AttemptTopics,
): Promise<readonly PartitionPosition[]> {
  for (const topic of [webhookBatches, webhookAttempts]) {
    await client.query(
      `insert into ${webhookSchema}.positions (topic, partition, next_offset)
       select $1, partition, 0 from generate_series(0, $2::int - 1) partition on conflict do nothing`,
      [topic, await kafka.partitionsOf(topic)],
    );
  }
  const { rows } = await client.query<{ topic: string; partition: number; next_offset: string }>(
    `select topic, partition, next_offset from ${webhookSchema}.positions where topic = any($1)`,
    [[webhookBatches, webhookAttempts]],
  );
  return rows.map(({ topic, partition, next_offset: next }) => ({
    topic,
    partition,
    offset: BigInt(next),
  }));
}

function isSame(one: PartitionPosition, other: PartitionPosition): boolean {
  return one.topic === other.topic && one.partition === other.partition;
}
