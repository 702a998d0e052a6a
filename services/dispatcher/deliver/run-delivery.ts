/**
 * Stage two of the dispatcher: sends the batches that stage one enqueued.
 *
 *   webhook-batches ──┐                               ┌─ 2xx ───────────────▶ delivered
 *                     ├─▶ lane of its webhook ─request┼─ failed, attempts left ▶ webhook-retry-1..3 ─┐
 *   webhook-retry-1 ◀─┼──────────│  ▲                 ├─ failed, none left ──▶ webhook-dead-letters  │
 *           -2, -3  ──┘          │  │                 └─ 410 ───────────────▶ dropped, webhook removed │
 *                                │  └──────────────── when due ──────────────────────────────────────┘
 *                                ├─ webhook is gone ──────────▶ dropped
 *                                └─ webhook inactive, or failed just now ──▶ postponed: webhook-retry-1
 *
 * Every arrow to the right is an ending. It leaves an attempt in webhook-attempts, and attempt, onward message and
 * position go out in one transaction (run-recorder.ts), so each batch is at exactly one place of the log and each
 * ending stands there once. Requests are at least once: what was sent and not recorded is sent again after a crash.
 *
 * A failure postpones whatever waits behind it in its lane: a dead endpoint costs one time-out, not one per batch,
 * and its partition's position can go on.
 */
import type { Logger } from 'pino';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { createKafkaConnection, type KafkaAddress } from '../../../shared/kafka/connection.ts';
import { liveRead, type ReadOptions } from '../../../shared/kafka/read-partitions.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { createTransactor } from '../../../shared/kafka/transactor.ts';
import { createDeliveryLine, type DeliveryLine } from './delivery-line.ts';
import type { DeliveryConfig } from './delivery-config.ts';
import { type DeliveryCounts, zeroCounts } from './delivery-counts.ts';
import { createEndpoints } from './endpoints.ts';
import { loadProgress } from './load-progress.ts';
import type { Permits } from './permits.ts';
import { type Intake, runIntake } from './run-intake.ts';
import { type Recorder, runRecorder } from './run-recorder.ts';
import { createRequestSender } from './send-request.ts';
import { createWebhookRemoval } from './webhook-removal.ts';

export interface DeliveryDeps {
  readonly kafka: KafkaAddress;
  readonly topics: TopicNames;
  /** Of topics, groups and transactional ids. */
  readonly prefix: string;
  readonly directory: Pick<Directory, 'record'>;
  readonly secrets: { open(sealed: string): string };
  readonly permits: Permits;
  readonly config: DeliveryConfig;
  /** For the User-Agent. */
  readonly version: string;
  readonly log: Logger;
  /** Removes a webhook whose receiver answered 410. Called again until it succeeds. */
  removeWebhook(webhookId: string): Promise<void>;
  /** Whether requests may go to this url; a batch for one that is refused is dead at once. */
  mayConnect(url: string): boolean;
}

export interface Delivery {
  readonly counts: Readonly<DeliveryCounts>;
  /** Settles after close. Rejects when delivery cannot go on: a bug, or another process has taken over. */
  readonly done: Promise<void>;
  /** Reads no more, gives requests under way some seconds, records what ended. */
  close(): Promise<void>;
}

/** Twice as much as the bench's largest backlog of one lane needs; strings take about as much as their bytes. */
const memory = { batches: 10_000, bytes: 64 * 1024 * 1024 };
const batchesRead: ReadOptions = { ...liveRead, maxBytesPerPartition: 1024 * 1024 };
const retriesRead: ReadOptions = { ...liveRead, maxBytesPerPartition: 256 * 1024 };
const CLOSE_TIMEOUT_MS = 5_000;
const START_AGAIN_MS = 1_000;
