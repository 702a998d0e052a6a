import type { AttributeValues } from '../domain/record/attribute-values.ts';
import type { RecordEvent } from '../domain/record/record-event.ts';
import type { WebhookEvent } from './webhook-batch-codec.ts';

/** What a batch holds of an event, with these data and without old values. */
export function toWebhookEvent(event: RecordEvent, data: AttributeValues): WebhookEvent {
  const { eventId, recordId, version, occurredAt, actorId, access } = event;
  const payload = { data: JSON.stringify(data), previous: '{}' };
  return { eventId, recordId, version, occurredAt, actorId, access, ...payload };
}
