/**
 * Delivers one partition of webhook-batches, webhook-overflow and the retry topics. A webhook's batches are in the same
 * partition in all of these topics.
 *
 *   starting ──positions read──▶ delivering ──close()──▶ finishing ──▶ closed
 *      │                            │
 *      │                            └── superseded, or a bug ──▶ stopped, onFailure
 *      └── Kafka unreachable: retries after a second
 *
 * Each partition has a transactional id. The last process to start delivering a partition owns it. If an earlier owner
 * tries to record an outcome, it fails with TransactionSuperseded.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { LaterVersion } from '../../../shared/events/later-version.ts';
import {
  createKafkaConnection,
  type KafkaConnection,
  withKafka,
} from '../../../shared/kafka/connection.ts';
import { deliveredTopics, deliveryGroup } from '../../../shared/kafka/topics.ts';
import { createTransactor, type Transactor } from '../../../shared/kafka/transactor.ts';
import type { DeliveryContext } from '../context.ts';
import { DeliveryPipeline } from './delivery-pipeline.ts';
import { Numbering } from './numbering/numbering.ts';
import { loadSequences } from './numbering/webhook-sequences.ts';
import { createCommitSurely } from './progress/commit-surely.ts';
import { loadProgress } from './progress/load-progress.ts';
import { Recorder } from './progress/recorder.ts';
import { restoreWaiting } from './scheduling/restore-waiting.ts';
import { WebhookOrder } from './scheduling/webhook-order.ts';

interface PartitionOptions {
  readonly partition: number;
  /** Returns the number of other partitions that this process delivers. */
  neighbours(): number;
  /** Called after delivery has stopped because of a bug, or because another process has taken over. */
  onFailure(error: unknown): void;
  /** Called when delivery is about to close. */
  onClose(): void;
}

const CLOSE_TIMEOUT_MS = 5_000;
const RETRY_START_MS = 1_000;

export class PartitionDelivery {
  readonly #context: DeliveryContext;
  readonly #options: PartitionOptions;
  readonly #stopping = new AbortController();
  readonly #starting: Promise<RunningPartition | undefined>;
  #running: RunningPartition | undefined;
  #hasFailed = false;
  #closing: Promise<void> | undefined;

  constructor(context: DeliveryContext, options: PartitionOptions) {
    this.#context = context;
    this.#options = options;
    this.#starting = this.#startWhenPossible();
    this.#starting.then(
      (started) => {
        this.#running = started;
      },
      (error) => this.#fail(error),
    );
  }

  /** True when the positions are loaded, nothing has failed, and no batch from a later version blocks the partition. */
  isWorking(): boolean {
    return this.#running?.isHeld() === false && !this.#hasFailed;
  }

  /** Stops reading, waits a few seconds for running requests, and records their outcomes. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#options.onClose();
    this.#stopping.abort();
    const started = await this.#starting.catch(() => undefined);
    if (!this.#hasFailed) await started?.close();
  }

  #fail(error: unknown): void {
    if (this.#hasFailed || this.#stopping.signal.aborted) return;
    this.#hasFailed = true;
    this.#starting
      .then((started) => started?.halt())
      .catch(() => undefined)
      .finally(() => this.#options.onFailure(error));
  }

  async #startWhenPossible(): Promise<RunningPartition | undefined> {
    const { signal } = this.#stopping;
    const { partition } = this.#options;
    while (!signal.aborted) {
      try {
        return await this.#start();
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        const level = error instanceof LaterVersion ? 'warn' : 'info';
        this.#context.log[level]({ err: error, partition }, 'delivery not started, retrying');
        await sleep(RETRY_START_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  async #start(): Promise<RunningPartition> {
    const { config, kafka, log } = this.#context;
    const connection = createKafkaConnection(kafka, log);
    const transactor = createTransactor(
      kafka,
      {
        transactionalId: `${config.topicPrefix}.dispatcher.deliver.${this.#options.partition}`,
        positionsGroup: deliveryGroup(config.topicPrefix),
      },
      log,
    );
    try {
      return await this.#deliver(connection, transactor);
    } catch (error) {
      await transactor.close();
      throw error;
    } finally {
      await connection.close();
    }
  }

  async #deliver(connection: KafkaConnection, transactor: Transactor): Promise<RunningPartition> {
    const context = this.#context;
    const { kafka, log, topics } = context;
    const { neighbours, partition } = this.#options;
    const reading = { transactor, connection };
    const { stored, partitions } = await loadProgress(partition, deliveredTopics(topics), reading);
    const order = new WebhookOrder(context.directory);
    await context.catchUp();
    const restored = await restoreWaiting(context, { connection, partitions, order });
    const sequences = await loadSequences(connection, topics.webhookSequences);
    const numbering = new Numbering(context, sequences, {
      // Also true for a place in a topic that is no longer delivered, because its batches are never read again.
      isRecorded: ({ topic, offset }) =>
        partitions.find((one) => one.topic === topic)?.isRecorded(BigInt(offset)) !== false,
      onChange: () => recorder.wake(),
    });
    const commit = createCommitSurely(transactor, log, {
      stored,
      sequences,
      loadSequences: () =>
        withKafka({ kafka, log }, (one) => loadSequences(one, topics.webhookSequences)),
    });
    const takeSequences = () => numbering.takeWrite();
    const recorder = new Recorder(commit, partitions, { takeSequences, neighbours });
    const onBug = (error: unknown) => this.#fail(error);
    const pipeline = new DeliveryPipeline(context, { order, numbering, recorder, onBug });
    const removals = restored.flatMap(({ progress, ranges }) => {
      const isNew = progress.topic === topics.webhookBatches;
      const fetcher = isNew ? context.batches : context.retries;
      return ranges.map((range) => fetcher.add(progress, range, pipeline.offer));
    });
    recorder.done.catch(onBug);
    log.info({ partition }, 'delivery started');

    async function halt(): Promise<void> {
      for (const remove of removals) remove();
      pipeline.abandon();
      recorder.close();
      await transactor.close();
    }

    return {
      isHeld: () => pipeline.isHeld(),
      halt,
      async close() {
        for (const remove of removals) remove();
        await withinCloseTimeout(pipeline.drained());
        pipeline.abandon();
        // If another process has taken over, no outcome can be recorded.
        const ended = recorder.done.catch(() => undefined);
        await withinCloseTimeout(Promise.race([recorder.flushed(), ended]));
        await halt();
      },
    };
  }
}

interface RunningPartition {
  /** Returns true if a batch from a later version blocks the partition. */
  isHeld(): boolean;
  /** Stops immediately. Later outcomes are not recorded. */
  halt(): Promise<void>;
  close(): Promise<void>;
}

async function withinCloseTimeout(work: Promise<void>): Promise<void> {
  await Promise.race([work, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}
