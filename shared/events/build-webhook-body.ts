import { payloadFormatOf } from '../domain/webhook/format/payload-formats.ts';
import type { WebhookBatch } from './webhook-batch-codec.ts';

type Content = Pick<WebhookBatch, 'payloadFormat' | 'event' | 'events'>;

/** Builds a body that equals JSON.stringify of the array of payloads, without parsing them: each `data` is already JSON. */
export function buildWebhookBody({ payloadFormat, event, events }: Content): Buffer {
  const { write } = payloadFormatOf(payloadFormat);
  const payloads = events.map((one) => write(event, one));
  return Buffer.from(`[${payloads.join(',')}]`);
}

/** Returns the body as a JSON value for responses, or as text if a payload cannot be parsed. */
export function showWebhookBody(batch: Content): unknown {
  const text = buildWebhookBody(batch).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
