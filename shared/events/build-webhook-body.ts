import type { WebhookBatch, WebhookEvent } from './webhook-batch-codec.ts';

/**
 * The body is exactly JSON.stringify of the array of payloads. They are not parsed: each `data` is its output already.
 */
export function buildWebhookBody({
  payloadFormat,
  event: name,
  events,
}: Pick<WebhookBatch, 'payloadFormat' | 'event' | 'events'>): Buffer {
  const payloads = events.map((event) =>
    payloadFormat === 'events' ? toEventPayload(name, event) : event.data,
  );
  return Buffer.from(`[${payloads.join(',')}]`);
}

/** The body as a JSON value for answers, or as text if a payload cannot be parsed. */
export function showWebhookBody(batch: Parameters<typeof buildWebhookBody>[0]): unknown {
  const text = buildWebhookBody(batch).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toEventPayload(name: string, event: WebhookEvent): string {
  const { eventId, data, occurredAt, actorId, version, sequence, previous } = event;
  const text = JSON.stringify;
  const occurred = text(new Date(occurredAt).toISOString());
  return (
    `{"id":${text(eventId)},"event":${text(name)},"data":${data},` +
    `"occurredAt":${occurred},"actorId":${text(actorId)},"version":${version},` +
    `"sequence":${sequence ?? null},"previous":${previous}}`
  );
}
