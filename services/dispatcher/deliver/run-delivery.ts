/**
 * Stage two of the dispatcher: sends the batches that stage one enqueued.
 *
 *   webhook-batches ──┐                               ┌─ 2xx ───────────────▶ delivered
 *                     ├─▶ its webhook's queue ─request┼─ failed, attempts left ▶ webhook-retry-1..3 ─┐
 *   webhook-retry-1 ◀─┼──────────│  ▲                 ├─ failed, none left ──▶ webhook-dead-letters  │
 *           -2, -3  ──┘          │  │                 └─ 410 ───────────────▶ dropped, webhook removed │
 *                                │  └──────────────── when due ──────────────────────────────────────┘
 *                                ├─ webhook deleted ──────────▶ dropped
 *                                ├─ webhook inactive, or has just failed ──▶ postponed: webhook-retry-1
 *                                └─ queue is full, and keeps up ─▶ overflowed: webhook-overflow, and back when there is room
 *
 * The directory contains the webhooks and their users. Fetched batches are processed only once this process has read a
 * directory at least as new as the batches: in an older directory, a webhook, its activation or its user might be
 * missing, and the batches would be dropped or postponed.
 *
 * Every arrow to the right that leaves a queue is an outcome. It is recorded as an attempt in webhook-attempts, unless
 * the batch only waits for room or is postponed again. The attempt, the message to the next topic and the position are
 * committed in one transaction (recorder.ts), so each batch is at exactly one place in the log, and each outcome is
 * recorded once. Requests are made at least once: a request without a recorded outcome is repeated after a crash. A 410
 * is recorded only after the webhook was removed, so that after a crash in between, the batch is sent again and gets
 * another 410.
 *
 * When a batch fails, the batches behind it in its queue are postponed. A dead endpoint therefore costs one timeout,
 * not one per batch, and the position of its partition can advance.
 *
 * Processes share the work by partition (run-partition.ts). This file creates the parts that the partitions of a
 * process share: connections to receivers, limits of concurrent requests, memory, and one fetch for all partitions.
 */
import { liveRead, type ReadOptions } from '../../../shared/kafka/read-partitions.ts';
import type { DeliveryContext, DispatcherContext } from '../context.ts';
import { BatchFetcher } from './intake/fetch-batches.ts';
import { DeliveryCounts, measureDelivery } from './measure-delivery.ts';
import { type BatchTask, createInFlightWindow } from './progress/in-flight-window.ts';
import { createUrlValidator, Endpoints } from './request/endpoints.ts';
import { createRequestSender } from './request/send-request.ts';
import { PartitionDelivery } from './run-partition.ts';
import type { CircuitBreakers } from './scheduling/circuit-breakers.ts';
import { RequestScheduler } from './scheduling/request-scheduler.ts';
import { RunQuota } from './scheduling/run-quota.ts';

/** The memory limit for batches that have been read and have no recorded outcome. Other batches wait in Kafka. */
const defaultMemory = { batches: 10_000, bytes: 64 * 1024 * 1024 };
const batchesRead: ReadOptions = { ...liveRead, maxBytesPerPartition: 1024 * 1024 };
const retriesRead: ReadOptions = { ...liveRead, maxBytesPerPartition: 256 * 1024 };

export class Delivery {
  readonly #context: DeliveryContext;
  readonly #open = new Set<PartitionDelivery>();

  constructor(context: DispatcherContext, memory = defaultMemory) {
    const { config, crash, guard, metrics, secrets } = context;
    const { maxConcurrentRequests, maxRequestsPerHost } = config.delivery;
    const parts = {
      counts: new DeliveryCounts(),
      window: createInFlightWindow(memory),
      scheduler: new RequestScheduler<BatchTask>(
        { inTotal: maxConcurrentRequests, perHost: maxRequestsPerHost },
        new RunQuota(config.requestPortionSize),
      ),
      breakers: new Set<CircuitBreakers>(),
    };
    this.#context = {
      ...context,
      ...parts,
      batches: new BatchFetcher(context, batchesRead),
      retries: new BatchFetcher(context, retriesRead),
      sender: createRequestSender({ ...config.delivery, guard }),
      endpoints: new Endpoints(secrets.open),
      validateUrl: createUrlValidator(guard.rules, Date.now),
      observe: measureDelivery(metrics, parts),
    };
    for (const { done } of [this.#context.batches, this.#context.retries]) done.catch(crash);
  }

  get counts(): Readonly<DeliveryCounts> {
    return this.#context.counts;
  }

  /** Starts delivering a partition. `onFailure` is called with the error of a bug, or with TransactionSuperseded. */
  open(partition: number, onFailure: (error: unknown) => void): PartitionDelivery {
    const neighbours = () => this.#open.size - 1;
    const opened = new PartitionDelivery(this.#context, {
      partition,
      neighbours,
      onFailure,
      onClose: () => this.#open.delete(opened),
    });
    this.#open.add(opened);
    return opened;
  }

  /** Starts a run with a new quota of requests. */
  startRun(): void {
    this.#context.scheduler.startRun();
  }

  /** Closes the shared parts. All partitions must be closed first. */
  async close(): Promise<void> {
    const { batches, retries, sender } = this.#context;
    await Promise.all([batches.close(), retries.close(), sender.close()]);
  }
}
