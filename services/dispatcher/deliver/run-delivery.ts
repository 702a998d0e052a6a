/**
 * Stage two of the dispatcher: sends the batches that stage one enqueued.
 *
 *   webhook-batches ──┐                               ┌─ 2xx ───────────────▶ delivered
 *                     ├─▶ lane of its webhook ─request┼─ failed, attempts left ▶ webhook-retry-1..3 ─┐
 *   webhook-retry-1 ◀─┼──────────│  ▲                 ├─ failed, none left ──▶ webhook-dead-letters  │
 *           -2, -3  ──┘          │  │                 └─ 410 ───────────────▶ dropped, webhook removed │
 *                                │  └──────────────── when due ──────────────────────────────────────┘
 *                                ├─ webhook deleted ──────────▶ dropped
 *                                ├─ webhook inactive, or has just failed ──▶ postponed: webhook-retry-1
 *                                └─ lane is full, and keeps up ──▶ overflowed: webhook-overflow, and back when there is room
 *
 * Webhooks and their users are in the directory. Fetched batches are processed once the directory is at least as new as
 * the batches: in an older one, a webhook, its activation or its user might be missing, and the batches would be dropped
 * or postponed.
 *
 * Every arrow to the right is an outcome. It is recorded as an attempt in webhook-attempts, unless the batch only waits
 * for room, or is postponed again. Attempt, onward message and position are committed in one transaction
 * (run-recorder.ts), so each batch is at exactly one place of the log, and each outcome is recorded once. Requests are
 * made at least once: a request without a recorded outcome is repeated after a crash. A 410 is recorded once the webhook
 * is removed, so that after an earlier crash the same batch gets the 410 again.
 *
 * A failure postpones the batches behind it in its lane. So a dead endpoint costs one timeout, not one per batch, and
 * the position of its partition can advance.
 *
 * Processes share the work by partition (run-partition.ts). This file creates the parts that the partitions of a process
 * share: connections to receivers, limits of concurrent requests, memory, permits, and one fetch for all partitions.
 */
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import { liveRead, type ReadOptions } from '../../../shared/kafka/read-partitions.ts';
import { createMemoryBudget } from './intake/memory-budget.ts';
import { type Intake, runIntake } from './intake/run-intake.ts';
import { createWaitingBatches } from './intake/waiting-batches.ts';
import { DeliveryCounts, measureDelivery } from './measure-delivery.ts';
import { createEndpoints, createUrlValidator } from './request/endpoints.ts';
import { createRequestSender } from './request/send-request.ts';
import {
  type DeliveryDeps,
  type PartitionDelivery,
  runPartition,
  type SharedParts,
} from './run-partition.ts';
import type { Breakers } from './scheduling/breakers.ts';
import { createRequestSlots } from './scheduling/request-slots.ts';

export interface RunningDelivery {
  readonly counts: Readonly<DeliveryCounts>;
  /** Starts delivering a partition. `onFailure` is called on a bug, or on TransactionSuperseded. */
  open(partition: number, onFailure: (error: unknown) => void): PartitionDelivery;
  /** Closes the shared parts. Close all partitions first. */
  close(): Promise<void>;
}

const defaultMemory = { batches: 10_000, bytes: 64 * 1024 * 1024 };
const batchesRead: ReadOptions = { ...liveRead, maxBytesPerPartition: 1024 * 1024 };
const retriesRead: ReadOptions = { ...liveRead, maxBytesPerPartition: 256 * 1024 };

export function runDelivery(deps: DeliveryDeps): RunningDelivery {
  const { config, metrics } = deps;
  const counts = new DeliveryCounts();
  const waiting = createWaitingBatches();
  const slots = createRequestSlots({
    inAll: config.maxConcurrentRequests,
    perOrigin: config.maxRequestsPerHost,
  });
  const breakers = new Set<Breakers>();
  const open = new Set<PartitionDelivery>();
  const shared: SharedParts = {
    intakes: runIntakes(deps),
    budget: createMemoryBudget(deps.memory ?? defaultMemory),
    slots,
    breakers,
    sender: createRequestSender({ ...config, guard: deps.guard }),
    endpoints: createEndpoints(deps.secrets.open),
    validateUrl: createUrlValidator(deps.guard.rules, Date.now),
    counts,
    waiting,
    observe: measureDelivery(metrics, { counts, waiting, slots, breakers }),
  };
  return {
    counts,
    open(partition, onFailure) {
      const neighbours = () => open.size - 1;
      const running = runPartition({ ...deps, ...shared, partition, neighbours, onFailure });
      open.add(running);
      return {
        isWorking: running.isWorking,
        async close() {
          open.delete(running);
          await running.close();
        },
      };
    },
    async close() {
      const { batches, retries } = shared.intakes;
      await Promise.all([batches.close(), retries.close(), shared.sender.close()]);
    },
  };
}

function runIntakes(deps: DeliveryDeps): SharedParts['intakes'] {
  const run = (read: ReadOptions): Intake => {
    const connection = createKafkaConnection(deps.kafka, deps.log);
    const intake = runIntake({ ...deps, connection, read });
    intake.done.catch(deps.onBug);
    return intake;
  };
  const [batches, retries] = [run(batchesRead), run(retriesRead)];
  return {
    batches,
    retries,
    resume() {
      batches.resume();
      retries.resume();
    },
  };
}
