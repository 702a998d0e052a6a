import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { decideCreate } from '../../../shared/domain/record/decide.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { switchActivity } from '../../../shared/domain/webhook/record/webhook.ts';
import { emptyFold } from '../../../shared/events/fold.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { encodeEvent, encodeFence } from '../../../shared/events/log-entry-codec.ts';
import { enqueuePortion, type QueuePosition } from './enqueue-portion.ts';

const fence = encodeFence({
  token: 't1',
  prevToken: null,
  owner: 'o',
  address: 'http://127.0.0.1:1',
  occurredAt: 0,
});

/** Returns a creation. `sequence` counts the events in a partition. */
function created(recordId: string, sequence: number, occurredAt: number): LoggedEvent {
  return {
    eventId: `e-${recordId}`,
    entityType: 'Account',
    recordId,
    version: 1,
    type: 'Created',
    occurredAt,
    actorId: 'ann',
    commandId: null,
    commandHash: null,
    correlationId: null,
    token: 't1',
    sequence,
    access: { assignedUserId: null, createdById: 'ann', teamIds: [] },
    changes: [{ attribute: 'name', before: null, after: recordId }],
  };
}

/** Returns a partition with a fence and these entries, read from the beginning. */
function partition(number: number, entries: readonly Buffer[]) {
  const from: QueuePosition = {
    topic: 'records',
    partition: number,
    offset: 0n,
    ...emptyFold,
  };
  const messages = [fence, ...entries].map((value, index) => ({
    offset: BigInt(index),
    key: null,
    value,
    timestamp: 0,
    proof: 'none' as const,
  }));
  return { from, found: { ...from, messages, nextOffset: BigInt(messages.length) } };
}

function directory(options: AttributeValues = {}) {
  const built = createDirectory(stockDefinitions);
  const values = {
    event: 'Account.create',
    entityType: 'Account',
    type: 'create',
    url: 'https://example.org',
    isActive: true,
    activity: switchActivity(null, true, [0n, 0n]),
    ...options,
  };
  const registered = created('w1', 1, 0);
  built.apply({ ...registered, entityType: 'Webhook', ...decideCreate(undefined, values) });
  return built;
}

const limits = { events: 100, batchSize: 50 };
const idsIn = (events: readonly { readonly recordId: string }[]) =>
  events.map(({ recordId }) => recordId);

describe('a portion of the queue', () => {
  const read = [
    partition(0, [encodeEvent(created('a', 1, 10)), encodeEvent(created('c', 2, 30))]),
    partition(1, [encodeEvent(created('b', 1, 20)), encodeEvent(created('d', 2, 40))]),
  ];

  it('orders the events of all partitions by time', () => {
    const { batches, taken } = enqueuePortion(directory(), read, { limits, now: 5 });
    expect(taken).toBe(4);
    expect(batches).toHaveLength(1);
    expect(idsIn(batches[0]?.events ?? [])).toEqual(['a', 'b', 'c', 'd']);
    expect(batches[0]).toMatchObject({ webhookId: 'w1', attemptsMade: 0, enqueuedAt: 5 });
  });

  it('is split into batches of the configured size', () => {
    const small = { ...limits, batchSize: 3 };
    const { batches } = enqueuePortion(directory(), read, { limits: small, now: 0 });
    expect(batches.map(({ events }) => events.length)).toEqual([3, 1]);
  });

  it('applies the batch size of a webhook only if it is smaller', () => {
    const sizes = (batchSize: number) =>
      enqueuePortion(directory({ batchSize }), read, {
        limits: { ...limits, batchSize: 3 },
        now: 0,
      }).batches.map(({ events }) => events.length);
    expect(sizes(1)).toEqual([1, 1, 1, 1]);
    expect(sizes(50)).toEqual([3, 1]);
  });

  it("contains unnumbered events in the webhook's payload format", () => {
    const numbering = directory({ payloadFormat: 'events', batchSize: 3 });
    const { batches } = enqueuePortion(numbering, read, { limits, now: 0 });
    expect(batches.map(({ payloadFormat }) => payloadFormat)).toEqual(['events', 'events']);
    for (const event of batches.flatMap(({ events }) => events)) {
      expect(event).not.toHaveProperty('sequence');
    }
  });

  it('contains old values only for webhooks with the payload format events', () => {
    const both = directory({ payloadFormat: 'events' });
    const other = { ...created('w2', 2, 0), entityType: 'Webhook' };
    const values = both.record('Webhook', 'w1')?.values ?? {};
    both.apply({ ...other, ...decideCreate(undefined, { ...values, payloadFormat: 'records' }) });
    const { batches } = enqueuePortion(both, read, { limits, now: 0 });
    const previous = batches.map(({ webhookId, events }) => [webhookId, events[0]?.previous]);
    expect(previous).toEqual([
      ['w1', '{"name":null}'],
      ['w2', '{}'],
    ]);
  });

  it('stops right after the last event within the limit', () => {
    const few = { ...limits, events: 3 };
    const { positions, taken } = enqueuePortion(directory(), read, { limits: few, now: 0 });
    expect(taken).toBe(3);
    expect(positions).toMatchObject([
      { partition: 0, offset: 3n, token: 't1', sequence: 2 },
      { partition: 1, offset: 2n, token: 't1', sequence: 1 },
    ]);
  });

  it('skips entries with an invalid token and unreadable entries', () => {
    const late = encodeEvent({ ...created('x', 1, 10), token: 'dead' });
    const odd = [partition(0, [late, Buffer.from('?'), encodeEvent(created('a', 1, 10))])];
    const { batches, positions } = enqueuePortion(directory(), odd, { limits, now: 0 });
    expect(batches.flatMap(({ events }) => idsIn(events))).toEqual(['a']);
    expect(positions).toMatchObject([{ offset: 4n, token: 't1', sequence: 1 }]);
  });
});
