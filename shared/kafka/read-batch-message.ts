import { UnreadableMessage } from '../domain/errors.ts';
import { decodeWebhookBatch, type WebhookBatch } from '../events/webhook-batch-codec.ts';
import type { ReadMessage } from './read-partitions.ts';
import { traceparentOf } from './trace-header.ts';

/** The batch with the trace its headers name, or why the message is no batch. */
export function readBatchMessage(
  message: Pick<ReadMessage, 'value' | 'headers'>,
): WebhookBatch | string {
  try {
    const batch = decodeWebhookBatch(message.value);
    const traceparent = traceparentOf(message);
    return traceparent === undefined ? batch : { ...batch, traceparent };
  } catch (error) {
    if (error instanceof UnreadableMessage) return error.message;
    throw error;
  }
}
