import { setTimeout as sleep } from 'node:timers/promises';
import { hasMore, liveRead } from '../../../shared/kafka/read-partitions.ts';
import {
  runSecondaryProjection,
  type SecondaryDeps,
  type SecondaryProjection,
} from '../secondary/run-secondary-projection.ts';
import { attemptTables, dropDaysBefore } from './attempt-tables.ts';
import { type AttemptTopics, storeAttempts } from './store-attempts.ts';

interface AttemptsDeps extends SecondaryDeps {
  readonly topics: AttemptTopics;
  readonly retentionMs: number;
  readonly now: () => number;
}

const DROP_EVERY_MS = 600_000;
/**
 * The time for which messages are collected, unless more of them are already available. At 200 deliveries a second,
 * each would otherwise be a transaction of ten statements and a flush, competing with writes that clients wait for.
 */
const GATHER_MS = 200;

/** Stores the batches and attempts of webhooks in Postgres for the configured retention. */
export function runAttempts({
  topics,
  retentionMs,
  now,
  ...deps
}: AttemptsDeps): SecondaryProjection {
  const { webhookBatches, webhookAttempts } = topics;
  let droppedAt = 0;

  return runSecondaryProjection(deps, {
    what: 'webhook attempts',
    topics: [webhookBatches, webhookAttempts],
    read: { ...liveRead, maxBytesPerPartition: 1024 * 1024 },
    ...attemptTables,
    store: (client, read) =>
      storeAttempts(client, read, { topics, keptSince: now() - retentionMs }),
    async afterRead(client, read) {
      if (read.length > 0 && !read.some(hasMore)) await sleep(GATHER_MS);
      if (now() - droppedAt < DROP_EVERY_MS) return;
      droppedAt = now();
      await dropDaysBefore(client, now() - retentionMs);
    },
  });
}
