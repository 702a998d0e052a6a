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
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import {
  createKafkaConnection,
  type KafkaAddress,
  type KafkaConnection,
} from '../../../shared/kafka/connection.ts';
import { liveRead, type ReadOptions } from '../../../shared/kafka/read-partitions.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { createTransactor, type Transactor } from '../../../shared/kafka/transactor.ts';
import type { DeliveryConfig } from './delivery-config.ts';
import { type DeliveryCounts, zeroCounts } from './delivery-counts.ts';
import { createDeliveryLine, type DeliveryLine } from './delivery-line.ts';
import { createEndpoints } from './endpoints.ts';
import { loadProgress } from './load-progress.ts';
import type { PartitionProgress } from './partition-progress.ts';
import type { Permits } from './permits.ts';
import { type Intake, runIntake } from './run-intake.ts';
import { type Recorder, runRecorder } from './run-recorder.ts';
import { createRequestSender, type RequestSender } from './send-request.ts';
import { createWebhookRemoval, type WebhookRemoval } from './webhook-removal.ts';

export interface DeliveryDeps {
  readonly kafka: KafkaAddress;
  readonly topics: TopicNames;
  /** Of topics, groups and transactional ids. */
  readonly topicPrefix: string;
  readonly directory: Pick<Directory, 'record'>;
  readonly secrets: { open(sealed: string): string };
  readonly permits: Permits;
  readonly config: DeliveryConfig;
  readonly log: Logger;
  /** Removes a webhook whose receiver answered 410. Called again until it succeeds. */
  removeWebhook(webhookId: string): Promise<void>;
  /** Whether requests may go to this url; a batch for one that is refused is dead at once. */
  mayConnect(url: string): boolean;
  /** Delivery cannot go on: a bug, or another process has taken over. It has stopped by then. */
  onFailure(error: unknown): void;
}

export interface Delivery {
  readonly counts: Readonly<DeliveryCounts>;
  /** Reads no more, gives requests under way some seconds, records what ended. */
  close(): Promise<void>;
}

/** Read and not recorded yet, what waits for permits included; the rest waits in Kafka. */
const memory = { batches: 10_000, bytes: 64 * 1024 * 1024 };
const batchesRead: ReadOptions = { ...liveRead, maxBytesPerPartition: 1024 * 1024 };
const retriesRead: ReadOptions = { ...liveRead, maxBytesPerPartition: 256 * 1024 };
const CLOSE_TIMEOUT_MS = 5_000;
const START_AGAIN_MS = 1_000;

export function runDelivery(deps: DeliveryDeps): Delivery {
  const counts = zeroCounts();
  const stopping = new AbortController();
  let hasFailed = false;

  function fail(error: unknown): void {
    if (hasFailed || stopping.signal.aborted) return;
    hasFailed = true;
    starting
      .then((running) => running?.halt())
      .catch(() => undefined)
      .finally(() => deps.onFailure(error));
  }

  const starting = startWhenPossible({ ...deps, counts, onBug: fail }, stopping.signal);
  starting.catch(fail);

  async function close(): Promise<void> {
    stopping.abort();
    const running = await starting.catch(() => undefined);
    if (!hasFailed) await running?.close();
  }

  let closing: Promise<void> | undefined;
  return {
    counts,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

interface StartDeps extends DeliveryDeps {
  readonly counts: DeliveryCounts;
  onBug(error: unknown): void;
}

interface RunningDelivery {
  /** Stops at once; nothing that ends later is recorded. */
  halt(): Promise<void>;
  close(): Promise<void>;
}

async function startWhenPossible(
  deps: StartDeps,
  stopping: AbortSignal,
): Promise<RunningDelivery | undefined> {
  while (!stopping.aborted) {
    try {
      return await start(deps);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      deps.log.info({ err: error }, 'delivery cannot start yet');
      await sleep(START_AGAIN_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  return undefined;
}

async function start(deps: StartDeps): Promise<RunningDelivery> {
  const { kafka, log, topicPrefix, topics } = deps;
  const connection = createKafkaConnection(kafka, log);
  const transactor = createTransactor(
    kafka,
    {
      transactionalId: `${topicPrefix}.dispatcher.deliver`,
      positionsGroup: `${topicPrefix}.deliver`,
    },
    log,
  );
  try {
    const names = [topics.webhookBatches, ...topics.webhookRetries];
    const { stored, partitions } = await loadProgress(names, { transactor, connection });
    const recorder = runRecorder({ transactor, stored, partitions, log });
    log.info({ partitions: partitions.length }, 'delivery started');
    return connectParts(deps, { connection, transactor, partitions, recorder });
  } catch (error) {
    await transactor.close();
    await connection.close();
    throw error;
  }
}

interface DeliveryParts {
  /** Read batches through this one; retries get their own. */
  readonly connection: KafkaConnection;
  readonly transactor: Transactor;
  readonly partitions: readonly PartitionProgress[];
  readonly recorder: Recorder;
}

function connectParts(deps: StartDeps, parts: DeliveryParts): RunningDelivery {
  const { config, log, onBug, topics } = deps;
  const { recorder, transactor } = parts;
  const intakes: Intake[] = [];
  const sender = createRequestSender(config);
  const removal = createWebhookRemoval(deps.removeWebhook, log);
  const isBatches = ({ topic }: PartitionProgress) => topic === topics.webhookBatches;
  const batches = parts.partitions.filter(isBatches);
  const line = createDeliveryLine({
    ...deps,
    memory,
    removal,
    sender,
    topics: { names: topics, partitions: batches.length },
    endpoints: createEndpoints(deps.secrets.open),
    record: recorder.record,
    onRoom() {
      for (const intake of intakes) intake.resume();
    },
  });
  intakes.push(
    runIntake({
      connection: parts.connection,
      partitions: batches,
      read: batchesRead,
      offer: line.offer,
      log,
    }),
    runIntake({
      connection: createKafkaConnection(deps.kafka, log),
      partitions: parts.partitions.filter((partition) => !isBatches(partition)),
      read: retriesRead,
      offer: line.offer,
      log,
    }),
  );
  for (const { done } of [recorder, ...intakes]) done.catch(onBug);
  return toRunning({ line, intakes, recorder, transactor, sender, removal });
}

interface StoppableParts {
  readonly line: DeliveryLine;
  readonly intakes: readonly Intake[];
  readonly recorder: Recorder;
  readonly transactor: Transactor;
  readonly sender: RequestSender;
  readonly removal: WebhookRemoval;
}

function toRunning(parts: StoppableParts): RunningDelivery {
  const { line, intakes, recorder, transactor, sender, removal } = parts;

  async function halt(): Promise<void> {
    line.abandon();
    recorder.close();
    removal.close();
    await Promise.all([...intakes.map((intake) => intake.close()), sender.close()]);
    await transactor.close();
  }

  return {
    halt,
    async close() {
      const drained = line.drained();
      await Promise.all(intakes.map((intake) => intake.close()));
      await withinCloseTimeout(drained);
      line.abandon();
      await withinCloseTimeout(recorder.flushed());
      await halt();
    },
  };
}

async function withinCloseTimeout(work: Promise<void>): Promise<void> {
  await Promise.race([work, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}
