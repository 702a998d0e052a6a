import type { RecordEvent } from '../domain/record/record-event.ts';
import type { AttributeValues } from '../domain/value/attribute-values.ts';
import { payloadFormatOf } from '../domain/webhook/format/payload-formats.ts';
import type { WebhookBatch, WebhookEvent } from './webhook-batch-codec.ts';

type Content = Pick<WebhookBatch, 'payloadFormat' | 'event' | 'events'>;

/**
 * Builds a body that equals JSON.stringify of the array of payloads. Does not parse them, because each `data` is
 * already JSON.
 */
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

/** Converts a record event to a batch event with this data and without previous values. */
export function toWebhookEvent(event: RecordEvent, data: AttributeValues): WebhookEvent {
  const { eventId, recordId, version, occurredAt, actorId, access } = event;
  const payload = { data: JSON.stringify(data), previous: '{}' };
  return { eventId, recordId, version, occurredAt, actorId, access, ...payload };
}
