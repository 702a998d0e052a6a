import { setTimeout as sleep } from 'node:timers/promises';
import { hasMore, liveRead } from '../../../shared/kafka/read-partitions.ts';
import type { BaseContext } from '../context.ts';
import {
  runSecondaryProjection,
  type SecondaryProjection,
} from '../secondary/run-secondary-projection.ts';
import { attemptTables, dropDaysBefore } from './attempt-tables.ts';
import { storeAttempts } from './store-attempts.ts';

const DROP_EVERY_MS = 600_000;
/**
 * How long messages are collected, unless more are already available. Otherwise, at 200 deliveries a second, each
 * delivery would take a transaction of ten statements and a flush, which would compete with clients' writes.
 */
const GATHER_MS = 200;

/** Stores the batches and attempts of webhooks in Postgres for the configured retention. */
export function runAttempts(context: BaseContext): SecondaryProjection {
  const { topics, attemptRetentionMs } = context.config;
  const { webhookBatches, webhookAttempts } = topics;
  const keptSince = () => context.clock.now() - attemptRetentionMs;
  let droppedAt = 0;

  return runSecondaryProjection(context, {
    what: 'webhook attempts',
    topics: [webhookBatches, webhookAttempts],
    read: { ...liveRead, maxBytesPerPartition: 1024 * 1024 },
    ...attemptTables,
    store: (client, read) => storeAttempts(client, read, { topics, keptSince: keptSince() }),
    async afterRead(client, read) {
      if (read.length > 0 && !read.some(hasMore)) await sleep(GATHER_MS);
      if (Date.now() - droppedAt < DROP_EVERY_MS) return;
      droppedAt = Date.now();
      await dropDaysBefore(client, keptSince());
    },
  });
}
