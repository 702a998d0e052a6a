import type { Logger } from 'pino';
import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import {
  type BatchEnding,
  type DeliveryTopics,
  toMessages,
  toUnreadableLetter,
} from './batch-ending.ts';
import {
  chooseEndpoint,
  type DeliverBatchDeps,
  deliverBatch,
  goneReason,
  postponed,
} from './deliver-batch.ts';
import type { DeliveryCounts } from './delivery-counts.ts';
import { createLanes } from './lanes.ts';
import { createMemoryBudget, type Room } from './memory-budget.ts';
import type { PartitionProgress } from './partition-progress.ts';
import type { Permits } from './permits.ts';
import { type BatchTask, createReceiveBatch } from './receive-batch.ts';
import type { Reception } from './run-intake.ts';
import type { Ending } from './run-recorder.ts';
import type { WebhookRemoval } from './webhook-removal.ts';

export interface DeliveryLineDeps extends Omit<DeliverBatchDeps, 'isGone'> {
  readonly topics: DeliveryTopics;
  readonly memory: Room;
  readonly permits: Permits;
  readonly removal: WebhookRemoval;
  readonly counts: DeliveryCounts;
  readonly log: Logger;
  record(ending: Ending): void;
  onRoom(): void;
  onBug(error: unknown): void;
}

/** What happens to a batch between its place in the log and its ending. */
export interface DeliveryLine {
  offer(message: ReadMessage, progress: PartitionProgress): Reception;
  /** Starts nothing any more, and answers when no request is under way. */
  drained(): Promise<void>;
  /** Requests that end from now on count as never made. */
  abandon(): void;
}

export function createDeliveryLine(deps: DeliveryLineDeps): DeliveryLine {
  const { config, counts, permits, removal, topics, log } = deps;
  const batchDeps: DeliverBatchDeps = { ...deps, isGone: removal.has };
  const budget = createMemoryBudget(deps.memory);
  const failedInThisRun = new Set<string>();
  let isAbandoned = false;

  const lanes = createLanes<BatchTask>({
    maxConcurrent: config.maxConcurrentRequests,
    takePermit: permits.take,
    begin,
    onFree: deps.onRoom,
    onBug: deps.onBug,
  });
  permits.onRun(() => {
    failedInThisRun.clear();
    lanes.pump();
  });

  function begin(task: BatchTask): (() => Promise<void>) | undefined {
    const choice = chooseEndpoint(task.batch, batchDeps);
    if ('endpoint' in choice) return () => send(task, choice.endpoint);
    settle(task, choice.ending);
    return undefined;
  }

  async function send(task: BatchTask, endpoint: Parameters<typeof deliverBatch>[1]): Promise<void> {
    const { webhookId, batchId } = task.batch;
    counts.started += 1;
    const { ending, isGone } = await deliverBatch(task.batch, endpoint, batchDeps);
    if (isAbandoned) return;
    settle(task, ending);
    if (ending.kind === 'delivered') return;
    const { reason } = ending;
    log.warn({ webhookId, batchId, reason, next: ending.kind }, 'webhook request failed');
    if (isGone) removal.begin(webhookId);
    else failedInThisRun.add(webhookId);
    for (const waiting of lanes.takeWaiting(webhookId)) {
      settle(waiting, isGone ? goneEnding : postponed('an earlier batch failed', config));
    }
  }

  function settle(task: BatchTask, ending: BatchEnding): void {
    counts[ending.kind] += 1;
    record(task, toMessages(task.batch, ending, { topics, now: Date.now() }));
  }

  function record(
    { progress, offset, bytes }: Pick<BatchTask, 'progress' | 'offset' | 'bytes'>,
    messages: Ending['messages'],
  ): void {
    deps.record({
      progress,
      offset,
      messages,
      onRecorded() {
        budget.release(bytes);
        deps.onRoom();
      },
    });
  }

  const offer = createReceiveBatch({
    batchesTopic: topics.names.webhookBatches,
    backlog: lanes.backlog,
    free: budget.free,
    hasFailedInThisRun: (webhookId) => failedInThisRun.has(webhookId),
    take(task) {
      budget.take(task.bytes);
      lanes.add(task.batch.webhookId, task, task.bytes);
    },
    postpone(task, reason) {
      budget.take(task.bytes);
      settle(task, postponed(reason, config));
    },
    setAside(message, progress, reason) {
      const bytes = message.value?.length ?? 0;
      budget.take(bytes);
      counts.unreadable += 1;
      log.error({ topic: progress.topic, offset: message.offset, reason }, 'message set aside');
      const letter = toUnreadableLetter(message, reason, topics.names);
      record({ progress, offset: message.offset, bytes }, [letter]);
    },
  });

  return {
    offer,
    drained: lanes.drained,
    abandon() {
      isAbandoned = true;
    },
  };
}

const goneEnding: BatchEnding = { kind: 'dropped', reason: goneReason };
