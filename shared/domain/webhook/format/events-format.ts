import type { PayloadEvent, PayloadFormat } from './payload-format.ts';

const text = { type: 'string' };

/** Each event with id, time, actor and sequence number, the attributes of `records` as `data`, and the previous values. */
export const eventsFormat: PayloadFormat<'events'> = {
  name: 'events',
  hasEnvelope: true,
  write: writeEvent,
  itemSchema: {
    type: 'object',
    required: ['id', 'event', 'data', 'occurredAt', 'actorId', 'version', 'sequence', 'previous'],
    properties: {
      id: text,
      event: text,
      data: { type: 'object' },
      occurredAt: text,
      actorId: text,
      version: { type: 'integer' },
      sequence: { type: ['integer', 'null'] },
      previous: { type: 'object' },
    },
  },
};

function writeEvent(name: string, event: PayloadEvent): string {
  const { eventId, data, occurredAt, actorId, version, sequence, previous } = event;
  const quote = JSON.stringify;
  const occurred = quote(new Date(occurredAt).toISOString());
  return (
    `{"id":${quote(eventId)},"event":${quote(name)},"data":${data},` +
    `"occurredAt":${occurred},"actorId":${quote(actorId)},"version":${version},` +
    `"sequence":${sequence ?? null},"previous":${previous}}`
  );
}
