/**
 * Delivers one partition of webhook-batches, webhook-overflow and the retry topics. A webhook's batches are in the same
 * partition of each topic.
 *
 *   starting ──positions read──▶ delivering ──close()──▶ finishing ──▶ closed
 *      │                            │
 *      │                            └── superseded, or a bug ──▶ stopped, onFailure
 *      └── Kafka unreachable: retries after a second
 *
 * Each partition has a transactional id. The process that started last delivers the partition, and an older one that
 * tries to record an outcome fails with TransactionSuperseded.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { LaterVersion } from '../../../shared/events/later-version.ts';
import {
  createKafkaConnection,
  type KafkaAddress,
  versionsOf,
  withKafka,
} from '../../../shared/kafka/connection.ts';
import { deliveredTopics, deliveryGroup, type TopicNames } from '../../../shared/kafka/topics.ts';
import { createTransactor, type Transactor } from '../../../shared/kafka/transactor.ts';
import type { TargetGuard } from '../../../shared/net/find-addresses.ts';
import type { Metrics } from '../../../shared/runtime/metrics.ts';
import { DeliveryLine, type DeliveryLineDeps } from './delivery-line.ts';
import type { MemoryBudget, Room } from './intake/memory-budget.ts';
import { createOverflow } from './intake/overflow.ts';
import type { Intake, IntakeDeps } from './intake/run-intake.ts';
import type { WaitingBatches } from './intake/waiting-batches.ts';
import { createNumbering, type Numbering } from './numbering/numbering.ts';
import {
  type Assignment,
  loadSequences,
  type StoredSequences,
} from './numbering/webhook-sequences.ts';
import { createWebhookRemoval } from './outcome/webhook-removal.ts';
import { loadProgress } from './progress/load-progress.ts';
import type { PartitionProgress } from './progress/partition-progress.ts';
import { type Recorder, runRecorder } from './progress/run-recorder.ts';
import { createOrdering } from './scheduling/ordering.ts';
import { type RestoredPartition, restoreWaiting } from './scheduling/restore-waiting.ts';

export interface DeliveryDeps
  extends Pick<IntakeDeps, 'catchUp' | 'untilRoom'>,
    Pick<DeliveryLineDeps, 'directory' | 'config' | 'permits' | 'clock' | 'log' | 'onBug'> {
  readonly kafka: KafkaAddress;
  readonly topics: TopicNames;
  /** Prefix of topics, groups and transactional ids. */
  readonly topicPrefix: string;
  /** The number of partitions of each of the topics. */
  readonly partitions: number;
  readonly secrets: { open(sealed: string): string };
  /**
   * The memory for batches that were read and have no recorded outcome, including batches that wait for permits. Other
   * batches wait in Kafka.
   */
  readonly memory?: Room;
  readonly metrics: Metrics;
  /** Removes a webhook whose receiver responded 410. Called again until it succeeds. */
  removeWebhook(webhookId: string): Promise<void>;
  /** Decides where requests may go. If the url itself is refused, a batch becomes a dead letter. */
  readonly guard: TargetGuard;
}

/** Parts that are shared by the partitions of a process. */
export interface SharedParts
  extends Pick<
    DeliveryLineDeps,
    'slots' | 'breakers' | 'sender' | 'endpoints' | 'validateUrl' | 'counts' | 'observe'
  > {
  readonly intakes: {
    readonly batches: Intake;
    readonly retries: Intake;
    resume(): void;
  };
  readonly budget: MemoryBudget;
  readonly waiting: WaitingBatches;
}

export interface PartitionDelivery {
  /** True when the positions are loaded, nothing has failed, and no batch of a later version blocks the partition. */
  isWorking(): boolean;
  /** Stops reading, waits some seconds for running requests, and records their outcomes. */
  close(): Promise<void>;
}

interface PartitionDeps extends DeliveryDeps, SharedParts {
  readonly partition: number;
  /** Returns the number of other partitions that this process delivers. */
  neighbours(): number;
  /** Called after the delivery stopped because of a bug, or because another process has taken over. */
  onFailure(error: unknown): void;
}

const CLOSE_TIMEOUT_MS = 5_000;
const RETRY_START_MS = 1_000;

export function runPartition(deps: PartitionDeps): PartitionDelivery {
  const stopping = new AbortController();
  let running: RunningPartition | undefined;
  let hasFailed = false;

  function fail(error: unknown): void {
    if (hasFailed || stopping.signal.aborted) return;
    hasFailed = true;
    starting
      .then((started) => started?.halt())
      .catch(() => undefined)
      .finally(() => deps.onFailure(error));
  }

  const starting = startWhenPossible({ ...deps, onFailure: fail }, stopping.signal);
  starting.then((started) => {
    running = started;
  }, fail);

  async function close(): Promise<void> {
    stopping.abort();
    const started = await starting.catch(() => undefined);
    if (!hasFailed) await started?.close();
  }

  let closing: Promise<void> | undefined;
  return {
    isWorking: () => running?.isHeld() === false && !hasFailed,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

interface RunningPartition {
  /** Whether a batch of a later version blocks the partition. */
  isHeld(): boolean;
  /** Stops immediately. Later outcomes are not recorded. */
  halt(): Promise<void>;
  close(): Promise<void>;
}

async function startWhenPossible(
  deps: PartitionDeps,
  stopping: AbortSignal,
): Promise<RunningPartition | undefined> {
  while (!stopping.aborted) {
    try {
      return await start(deps);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      const { log, partition } = deps;
      const level = error instanceof LaterVersion ? 'warn' : 'info';
      log[level]({ err: error, partition }, 'delivery not started, retrying');
      await sleep(RETRY_START_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  return undefined;
}

async function start(deps: PartitionDeps): Promise<RunningPartition> {
  const { kafka, log, partition, topicPrefix, topics } = deps;
  const connection = createKafkaConnection(kafka, log);
  const transactor = createTransactor(
    kafka,
    {
      transactionalId: `${topicPrefix}.dispatcher.deliver.${partition}`,
      positionsGroup: deliveryGroup(topicPrefix),
    },
    log,
  );
  try {
    const { stored, partitions } = await loadProgress(partition, {
      topics: deliveredTopics(topics),
      transactor,
      connection,
    });
    const ordering = createOrdering(deps.directory);
    const overflow = createOverflow();
    await deps.catchUp();
    const nextDueAt = () => deps.clock.now() + deps.config.failAttemptPeriodMs;
    const waiting = { topics, partitions, connection, ordering, overflow, nextDueAt };
    const restored = await restoreWaiting(waiting);
    const sequences = await loadSequences(connection, topics.webhookSequences);
    const numbering: Numbering = createNumbering({
      directory: deps.directory,
      topic: topics.webhookSequences,
      stored: sequences,
      isRecorded: (place) => isRecorded(partitions, place),
      onChange: () => recorder.wake(),
    });
    const { neighbours } = deps;
    const recorder = runRecorder({
      transactor,
      stored,
      sequences,
      loadSequences: () => readSequences(deps),
      takeSequences: numbering.takeWrite,
      partitions,
      neighbours,
      log,
    });
    log.info({ partition }, 'delivery started');
    return connectParts(deps, { transactor, restored, recorder, ordering, overflow, numbering });
  } catch (error) {
    await transactor.close();
    throw error;
  } finally {
    await connection.close();
  }
}

function readSequences({ kafka, log, topics }: PartitionDeps): Promise<StoredSequences> {
  return withKafka({ kafka, log }, (connection) =>
    loadSequences(connection, topics.webhookSequences),
  );
}

/** True also for a place outside the topics of this partition, whose batch does not come back. */
function isRecorded(
  partitions: readonly PartitionProgress[],
  { topic, offset }: Pick<Assignment, 'topic' | 'offset'>,
): boolean {
  const progress = partitions.find((one) => one.topic === topic);
  return progress?.isRecorded(BigInt(offset)) !== false;
}

interface StartedParts extends Pick<DeliveryLineDeps, 'ordering' | 'overflow' | 'numbering'> {
  readonly restored: readonly RestoredPartition[];
  readonly transactor: Transactor;
  readonly recorder: Recorder;
}

function connectParts(
  deps: PartitionDeps,
  { transactor, recorder, restored, ordering, overflow, numbering }: StartedParts,
): RunningPartition {
  const { intakes, onFailure, topics } = deps;
  const line = new DeliveryLine({
    ...deps,
    ordering,
    overflow,
    numbering,
    removal: createWebhookRemoval(deps.removeWebhook, deps.log),
    budget: deps.budget.share(),
    waiting: deps.waiting.share(),
    topics: { names: topics, partitions: deps.partitions, versions: versionsOf(deps.kafka) },
    record: recorder.record,
    onRoom: intakes.resume,
    onBug: onFailure,
  });
  const removals = restored.flatMap(({ progress, ranges }) => {
    const intake = intakes[progress.topic === topics.webhookBatches ? 'batches' : 'retries'];
    return ranges.map((range) => intake.add(progress, range, line.offer));
  });
  recorder.done.catch(onFailure);

  function stopReading(): void {
    for (const remove of removals) remove();
  }

  async function halt(): Promise<void> {
    stopReading();
    line.abandon();
    recorder.close();
    await transactor.close();
  }

  return {
    isHeld: line.isHeld,
    halt,
    async close() {
      stopReading();
      await withinCloseTimeout(line.drained());
      line.abandon();
      // If another process has taken over, no outcome can be recorded.
      const ended = recorder.done.catch(() => undefined);
      await withinCloseTimeout(Promise.race([recorder.flushed(), ended]));
      await halt();
    },
  };
}

async function withinCloseTimeout(work: Promise<void>): Promise<void> {
  await Promise.race([work, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}
