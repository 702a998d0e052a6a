import type { Directory } from '../../../../shared/domain/directory/directory.ts';
import { isTestBatch, type WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import type { Outcome } from '../outcome/outcome.ts';

/**
 * Keeps the order of `ordered` webhooks: a batch is sent only if no earlier one waits in a retry topic. Kept in memory,
 * for one partition. A process that takes over the partition reads the waiting batches from the topics
 * (restore-waiting.ts).
 */
export interface Ordering {
  /** Whether an earlier batch of the webhook waits for another attempt. */
  isBlocked(batch: WebhookBatch): boolean;
  /** Adds a batch that waits in a retry topic. */
  wait(batch: WebhookBatch): void;
  recordOutcome(batch: WebhookBatch, outcome: Outcome): void;
}

/** The place of a batch in the order of its webhook. */
type Place = Pick<WebhookBatch, 'batchId' | 'enqueuedAt'>;

export function createOrdering(directory: Pick<Directory, 'record'>): Ordering {
  const waiting = new Map<string, Map<string, Place>>();
  const isOrdered = (webhookId: string) =>
    directory.record('Webhook', webhookId)?.values['ordered'] === true;

  function wait({ webhookId, batchId, enqueuedAt }: WebhookBatch): void {
    if (!isOrdered(webhookId)) return;
    const ofWebhook = waiting.get(webhookId) ?? new Map<string, Place>();
    waiting.set(webhookId, ofWebhook);
    ofWebhook.set(batchId, { batchId, enqueuedAt });
  }

  return {
    wait,
    isBlocked(batch) {
      const ofWebhook = waiting.get(batch.webhookId);
      if (ofWebhook === undefined || isTestBatch(batch)) return false;
      return ofWebhook.values().some((place) => byPlace(place, batch) < 0);
    },
    recordOutcome(batch, outcome) {
      const { webhookId, batchId } = batch;
      // A batch in the overflow keeps its place: later batches cannot overtake it.
      if (outcome.kind === 'overflowed') return;
      if (outcome.kind === 'retried' || outcome.kind === 'postponed') {
        wait(batch);
        return;
      }
      const ofWebhook = waiting.get(webhookId);
      ofWebhook?.delete(batchId);
      if (ofWebhook?.size === 0) waiting.delete(webhookId);
    },
  };
}

/** Compares batches by order. Ids of the same millisecond are ordered because they are UUIDs of version 7 from one process. */
export function byPlace(one: Place, other: Place): number {
  if (one.enqueuedAt !== other.enqueuedAt) return one.enqueuedAt - other.enqueuedAt;
  return one.batchId < other.batchId ? -1 : Number(one.batchId > other.batchId);
}
