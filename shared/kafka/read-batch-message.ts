import { UnreadableMessage } from '../domain/errors.ts';
import { tryDecode } from '../events/decode-readable.ts';
import { decodeWebhookBatch, type WebhookBatch } from '../events/webhook-batch-codec.ts';
import type { ReadMessage } from './read-partitions.ts';
import { traceparentOf } from './trace-header.ts';

/**
 * Decodes a batch and adds the trace from the message headers. Returns the reason if the message is not a valid
 * batch. Throws LaterVersion.
 */
export function readBatchMessage(message: ReadMessage): WebhookBatch | string {
  const batch = tryDecode(message, decodeWebhookBatch);
  if (batch instanceof UnreadableMessage) return batch.message;
  const traceparent = traceparentOf(message);
  return traceparent === undefined ? batch : { ...batch, traceparent };
}
