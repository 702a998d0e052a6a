import { UnreadableMessage } from '../domain/errors.ts';
import { decodeProven } from '../events/later-version.ts';
import { decodeWebhookBatch, type WebhookBatch } from '../events/webhook-batch-codec.ts';
import type { ReadMessage } from './read-partitions.ts';
import { traceparentOf } from './trace-header.ts';

/** Decodes a batch, with the trace from its headers. Otherwise the reason why the message is no batch. Throws LaterVersion. */
export function readBatchMessage(
  message: Pick<ReadMessage, 'value' | 'headers' | 'proof'>,
): WebhookBatch | string {
  try {
    const batch = decodeProven(message, decodeWebhookBatch);
    const traceparent = traceparentOf(message);
    return traceparent === undefined ? batch : { ...batch, traceparent };
  } catch (error) {
    if (error instanceof UnreadableMessage) return error.message;
    throw error;
  }
}
