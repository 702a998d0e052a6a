import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { isTestBatch, type WebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import type { BatchEnding } from './batch-ending.ts';

/**
 * Keeps the order of webhooks that ask for it (`ordered`): a batch is sent only when none that was enqueued before it
 * waits for another attempt, wherever in the retry topics that one stands. In memory, for one partition; whoever takes
 * the partition over reads from the retry topics what waits (load-progress.ts).
 */
export interface Ordering {
  /** Whether one that was enqueued before it has not ended. */
  isBlocked(batch: WebhookBatch): boolean;
  /** The batch waits in a retry topic. */
  wait(batch: WebhookBatch): void;
  note(batch: WebhookBatch, ending: BatchEnding): void;
}

/** Endings after which the batch waits at another place of the log. */
const goesOn: ReadonlySet<BatchEnding['kind']> = new Set(['retried', 'postponed', 'diverted']);

/** Where a batch stands among those of its webhook. */
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
    note(batch, ending) {
      const { webhookId, batchId } = batch;
      if (goesOn.has(ending.kind)) {
        wait(batch);
        return;
      }
      const ofWebhook = waiting.get(webhookId);
      ofWebhook?.delete(batchId);
      if (ofWebhook?.size === 0) waiting.delete(webhookId);
    },
  };
}

/** For sorting. Ids of one moment are in their order too: they are UUIDs of version 7 from one process. */
export function byPlace(one: Place, other: Place): number {
  if (one.enqueuedAt !== other.enqueuedAt) return one.enqueuedAt - other.enqueuedAt;
  return one.batchId < other.batchId ? -1 : Number(one.batchId > other.batchId);
}
