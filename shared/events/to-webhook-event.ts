import type { RecordEvent } from '../domain/record/record-event.ts';
import type { AttributeValues } from '../domain/value/attribute-values.ts';
import type { WebhookEvent } from './webhook-batch-codec.ts';

/** Converts to an event of a batch with this data and without previous values. */
export function toWebhookEvent(event: RecordEvent, data: AttributeValues): WebhookEvent {
  const { eventId, recordId, version, occurredAt, actorId, access } = event;
  const payload = { data: JSON.stringify(data), previous: '{}' };
  return { eventId, recordId, version, occurredAt, actorId, access, ...payload };
}
