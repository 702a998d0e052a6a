import { UnreadableMessage } from '../../../../shared/domain/errors.ts';
import { payloadFormatOf } from '../../../../shared/domain/webhook/format/payload-formats.ts';
import { toWebhook } from '../../../../shared/domain/webhook/record/webhook.ts';
import {
  eventsForReceiver,
  type ReceiverDirectory,
} from '../../../../shared/events/events-for-receiver.ts';
import { isTestBatch, type WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import type { BatchTask } from '../intake/receive-batch.ts';
import type { Assignment } from './webhook-sequences.ts';

/** Whether events of the batch can have numbers. */
export function canHaveNumbers({ payloadFormat, replayId, ...batch }: WebhookBatch): boolean {
  const { hasEnvelope } = payloadFormatOf(payloadFormat);
  return hasEnvelope && replayId === undefined && !isTestBatch(batch);
}

/** Whether the batch gets numbers before its next request: it has none, and was not sent. */
export function needsNumbers(batch: WebhookBatch): boolean {
  const isNumbered = batch.events.some(({ sequence }) => sequence !== undefined);
  return canHaveNumbers(batch) && batch.attemptsMade === 0 && !isNumbered;
}

/** Returns the numbers of a batch's readable events, from `first` on. Undefined if nothing of the batch would be sent. */
export function assign(
  { batch, progress, offset }: BatchTask,
  first: number,
  directory: ReceiverDirectory,
): Assignment | undefined {
  const readable = readableIndexes(batch, directory);
  if (readable.size === 0) return undefined;
  return {
    batchId: batch.batchId,
    topic: progress.topic,
    offset: offset.toString(),
    first,
    last: first + readable.size - 1,
    without: [...batch.events.keys()].filter((index) => !readable.has(index)),
  };
}

/** Empty also for a batch with an unreadable payload, which becomes a dead letter without a request. */
function readableIndexes(
  { webhookId, events }: WebhookBatch,
  directory: ReceiverDirectory,
): ReadonlySet<number> {
  const webhook = directory.record('Webhook', webhookId);
  if (webhook === undefined) return new Set();
  // The filter copies events, so each carries its index as its number.
  const indexed = events.map((event, index) => ({ ...event, sequence: index }));
  try {
    const readable = eventsForReceiver(indexed, toWebhook(webhook), directory);
    return new Set(readable.map(({ sequence = 0 }) => sequence));
  } catch (error) {
    if (error instanceof UnreadableMessage) return new Set();
    throw error;
  }
}

export function withNumbers(batch: WebhookBatch, { first, without }: Assignment): WebhookBatch {
  const missing = new Set(without);
  let next = first;
  const events = batch.events.map((event, index) => {
    if (missing.has(index)) return event;
    const sequence = next;
    next += 1;
    return { ...event, sequence };
  });
  return { ...batch, events };
}

export function isSame(one: Assignment, other: Assignment): boolean {
  return one.first === other.first && String(one.without) === String(other.without);
}
