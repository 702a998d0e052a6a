import { describe, expect, it } from 'vitest';
import { buildWebhookBody, showWebhookBody } from './build-webhook-body.ts';

const payloads: readonly unknown[] = [
  { id: '1' },
  {},
  { name: 'Größe „x“, "y", \\ / \u2028 \u0000 \ud83d\ude42 \ud800', list: [1, 2.5, null, true] },
  { nested: { amount: 1e21, tiny: 1e-7, empty: '', array: [[]] } },
  { ['__proto__']: 'x', 'a,b': ',]' },
];

describe('a webhook body', () => {
  it.each([0, 1, 2, 5, 50])('with %d payloads equals JSON.stringify of their array', (count) => {
    const chosen = Array.from({ length: count }, (_, index) => payloads[index % payloads.length]);
    const events = chosen.map((payload) => ({
      eventId: 'e',
      recordId: 'r',
      version: 1,
      occurredAt: 0,
      actorId: 'a',
      access: { assignedUserId: null, createdById: null, teamIds: [] },
      data: JSON.stringify(payload),
      previous: '{}',
    }));
    const event = 'Account.create';
    const expected = Buffer.from(JSON.stringify(chosen));
    expect(buildWebhookBody({ event, events }).equals(expected)).toBe(true);

    const asEvents = chosen.map((data) => ({
      id: 'e',
      event,
      data,
      occurredAt: '1970-01-01T00:00:00.000Z',
      actorId: 'a',
      version: 1,
      sequence: 7,
      previous: {},
    }));
    const numbered = events.map((one) => ({ ...one, sequence: 7 }));
    const body = buildWebhookBody({ event, events: numbered, payloadFormat: 'events' });
    expect(body.equals(Buffer.from(JSON.stringify(asEvents)))).toBe(true);
  });

  it('is displayed as text if a payload is not valid JSON', () => {
    const event = { eventId: 'e', recordId: 'r', version: 1, occurredAt: 0, actorId: 'a' };
    const access = { assignedUserId: null, createdById: null, teamIds: [] };
    const shown = (data: string) =>
      showWebhookBody({
        event: 'Account.create',
        events: [{ ...event, access, data, previous: '{}' }],
      });
    expect(shown('{"id":"r"}')).toEqual([{ id: 'r' }]);
    expect(shown('{"id":')).toBe('[{"id":]');
  });
});
