import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import {
  type BatchEnding,
  type DeliveryTopics,
  toMessages,
  toUnreadableLetter,
} from './batch-ending.ts';
import type { DeliveryCounts } from './delivery-counts.ts';
import type { ObserveEnding } from './measure-delivery.ts';
import type { BudgetShare } from './memory-budget.ts';
import type { PartitionProgress } from './partition-progress.ts';
import type { Ending } from './plan-commit.ts';
import type { BatchTask } from './receive-batch.ts';
import type { WaitingShare } from './waiting-batches.ts';

interface SettlementDeps {
  readonly clock: Clock;
  readonly topics: DeliveryTopics;
  readonly counts: DeliveryCounts;
  readonly budget: BudgetShare;
  readonly waiting: WaitingShare;
  readonly observe: ObserveEnding;
  record(ending: Ending): void;
  onRoom(): void;
}

export interface Settlement {
  settle(task: BatchTask, ending: BatchEnding): void;
  /** Dead-letters a message that is no batch. */
  setAside(message: ReadMessage, progress: PartitionProgress, reason: string): void;
}

/** Counts endings and hands them to the recorder. Their memory is released when they are recorded. */
export function createSettlement(deps: SettlementDeps): Settlement {
  const { clock, topics, counts, budget } = deps;

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

  return {
    settle(task, ending) {
      counts[ending.kind] += 1;
      deps.observe(ending);
      deps.waiting.end(task);
      const from = task.progress.topic;
      record(task, toMessages(task.batch, ending, { topics, from, now: clock.now() }));
    },
    setAside(message, progress, reason) {
      const bytes = message.value?.length ?? 0;
      budget.take(bytes);
      counts.unreadable += 1;
      const letter = toUnreadableLetter(message, reason, topics.names);
      record({ progress, offset: message.offset, bytes }, [letter]);
    },
  };
}
