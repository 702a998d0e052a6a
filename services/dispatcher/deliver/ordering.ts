import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { isTestBatch, type WebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import type { BatchEnding } from './batch-ending.ts';

/**
 * Keeps the order of webhooks that ask for it (`ordered`): a batch is sent only when none that was enqueued before it
 * waits for another attempt, wherever in the retry topics that one stands. In memory, for one partition; whoever takes
 * the partition over reads from the retry topics what waits (load-progress.ts).
 */
export interface Ordering {
  /** When to look again at a batch that is not the next one; undefined for one that may be sent. */
  blockedUntil(batch: WebhookBatch): number | undefined;
  /** The batch waits in a retry topic. */
  wait(batch: WebhookBatch, dueAt: number): void;
  note(batch: WebhookBatch, ending: BatchEnding): void;
}

interface OrderingDeps {
  readonly directory: Pick<Directory, 'record'>;
  readonly periodMs: number;
  readonly now: () => number;
}

interface Waiting {
  readonly batchId: string;
  readonly enqueuedAt: number;
  readonly dueAt: number;
}

/** So that the batch that others wait for, perhaps in another topic, is met before them. */
const MAX_SLACK_MS = 1_000;

export function createOrdering({ directory, periodMs, now }: OrderingDeps): Ordering {
  const waiting = new Map<string, Map<string, Waiting>>();
  const slackMs = Math.min(MAX_SLACK_MS, periodMs / 4);
  const isOrdered = (webhookId: string) =>
    directory.record('Webhook', webhookId)?.values['ordered'] === true;

  function wait({ webhookId, batchId, enqueuedAt }: WebhookBatch, dueAt: number): void {
    if (!isOrdered(webhookId)) return;
    const ofWebhook = waiting.get(webhookId) ?? new Map<string, Waiting>();
    waiting.set(webhookId, ofWebhook);
    ofWebhook.set(batchId, { batchId, enqueuedAt, dueAt });
  }

  return {
    wait,
    blockedUntil(batch) {
      const ofWebhook = waiting.get(batch.webhookId);
      if (ofWebhook === undefined || isTestBatch(batch)) return undefined;
      const first = [...ofWebhook.values()].reduce(earlier);
      if (!isEarlier(first, batch)) return undefined;
      return first.dueAt > now() ? first.dueAt + slackMs : now() + periodMs;
    },
    note(batch, ending) {
      const { webhookId, batchId } = batch;
      if (ending.kind === 'retried' || ending.kind === 'postponed') {
        wait(batch, ending.dueAt);
        return;
      }
      const ofWebhook = waiting.get(webhookId);
      ofWebhook?.delete(batchId);
      if (ofWebhook?.size === 0) waiting.delete(webhookId);
    },
  };
}

type Place = Pick<WebhookBatch, 'batchId' | 'enqueuedAt'>;

/** Ids of one moment are in their order too: they are UUIDs of version 7 from one process. */
function isEarlier(one: Place, other: Place): boolean {
  return one.enqueuedAt === other.enqueuedAt
    ? one.batchId < other.batchId
    : one.enqueuedAt < other.enqueuedAt;
}

function earlier(one: Waiting, other: Waiting): Waiting {
  return isEarlier(one, other) ? one : other;
}
