import type { ReadMessage } from '../../../../shared/kafka/read-partitions.ts';
import type { Clock } from '../../../../shared/runtime/clock.ts';
import type { BudgetShare } from '../intake/memory-budget.ts';
import type { BatchTask } from '../intake/receive-batch.ts';
import type { WaitingShare } from '../intake/waiting-batches.ts';
import type { PartitionProgress } from '../progress/partition-progress.ts';
import type { Completion } from '../progress/plan-commit.ts';
import type { DeliveryCounts } from './delivery-counts.ts';
import { type DeliveryTopics, type Outcome, toMessages, toUnreadableLetter } from './outcome.ts';

/** Measures the request of an outcome, if there was one. */
export type ObserveOutcome = (outcome: Outcome) => void;

export interface CompleteBatchDeps {
  readonly clock: Clock;
  readonly topics: DeliveryTopics;
  readonly counts: DeliveryCounts;
  readonly budget: BudgetShare;
  readonly waiting: WaitingShare;
  readonly observe: ObserveOutcome;
  record(completion: Completion): void;
  onRoom(): void;
}

/** Counts the outcome of a batch and hands it to the recorder, which releases the batch's memory. */
export function completeBatch(deps: CompleteBatchDeps, task: BatchTask, outcome: Outcome): void {
  deps.counts[outcome.kind] += 1;
  deps.observe(outcome);
  deps.waiting.end(task);
  const { clock, topics } = deps;
  const from = task.progress.topic;
  record(deps, task, toMessages(task.batch, outcome, { topics, from, now: clock.now() }));
}

/** Sends a message that is no batch to the dead letters. */
export function rejectMessage(
  deps: CompleteBatchDeps,
  { progress, message }: { readonly progress: PartitionProgress; readonly message: ReadMessage },
  reason: string,
): void {
  const bytes = message.value?.length ?? 0;
  deps.budget.take(bytes);
  deps.counts.unreadable += 1;
  const letter = toUnreadableLetter(message, reason, deps.topics.names);
  record(deps, { progress, offset: message.offset, bytes }, [letter]);
}

function record(
  { budget, onRoom, record: hand }: CompleteBatchDeps,
  { progress, offset, bytes }: Pick<BatchTask, 'progress' | 'offset' | 'bytes'>,
  messages: Completion['messages'],
): void {
  hand({
    progress,
    offset,
    messages,
    onRecorded() {
      budget.release(bytes);
      onRoom();
    },
  });
}
