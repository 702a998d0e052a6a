import { UnreadableMessage } from '../domain/errors.ts';
import { decodeWebhookBatch, type WebhookBatch } from '../events/webhook-batch-codec.ts';
import type { ReadMessage } from './read-partitions.ts';
import { traceparentOf } from './trace-header.ts';

/** Decodes a batch, with the trace from its headers. Otherwise the reason why the message is no batch. */
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
