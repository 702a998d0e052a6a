import type { Change } from '../../../shared/domain/record/record-event.ts';
import { encodeFileChunk } from '../../../shared/events/file-chunk-codec.ts';
import { encodeEvent, encodeFence } from '../../../shared/events/log-entry-codec.ts';
import { encodeWebhookAttempt } from '../../../shared/events/webhook-attempt-codec.ts';
import { encodeWebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import { buildBatch } from './build-batch.ts';
import { aCreation } from './record-event-builder.ts';

/** Bytes of our schemas with impossible values, and the reader's reason, which contains no values. */
interface UnreadableMessage {
  readonly what: string;
  readonly bytes: Buffer;
  readonly reason: string;
}

const beyondDates = 8_640_000_000_000_001;

/** Replaces a text with another one of the same length, because Avro stores the length of a string. */
function replace(bytes: Buffer, text: string, other: string): Buffer {
  if (text.length !== other.length) throw new Error(`${other} must be as long as ${text}`);
  if (!bytes.includes(text)) throw new Error(`${text} is not in the message`);
  return Buffer.from(bytes.toString('latin1').replace(text, other), 'latin1');
}

/** An entry of a writer that never owned the partition. */
function anEvent({ occurredAt, ...change }: Partial<Change> & { readonly occurredAt?: number }) {
  const changes = [{ attribute: 'teamsIds', before: null, after: null, ...change }];
  const parts = { changes, ...(occurredAt === undefined ? {} : { occurredAt }) };
  return encodeEvent({ ...aCreation('Account', {}, parts), token: 'nobody', sequence: 1 });
}

export const unreadableEvents: readonly UnreadableMessage[] = [
  {
    what: 'a list that ends too early',
    bytes: replace(anEvent({ after: ['secret'] }), '["secret"]', '["secret",'),
    reason: 'the value of "teamsIds" is not valid JSON',
  },
  {
    what: 'an old value that is not JSON',
    bytes: replace(anEvent({ before: { a: 1 } }), '{"a":1}', 'nothing'),
    reason: 'the value of "teamsIds" is not valid JSON',
  },
  {
    what: 'a time without a date',
    bytes: anEvent({ occurredAt: beyondDates }),
    reason: 'occurredAt is not a valid time',
  },
  {
    what: 'a text that Postgres cannot keep',
    bytes: replace(anEvent({ attribute: 'name', after: 'a secret' }), 'a secret', 'a\0secret'),
    reason: 'the value of "name" contains NUL',
  },
  ...[String.raw`\u0000`, String.raw`\ud83d`, String.raw`\uDE42`].map((escaped) => ({
    what: `${escaped} in a list`,
    bytes: replace(anEvent({ before: ['secret', '123456'] }), '123456', escaped),
    reason: 'the value of "teamsIds" contains NUL or an unpaired surrogate',
  })),
  {
    what: 'an attribute that Postgres cannot keep',
    bytes: replace(anEvent({}), 'teamsIds', 'teams\0ds'),
    reason: 'attribute contains NUL',
  },
  {
    what: 'an entity type that Postgres cannot keep',
    bytes: replace(anEvent({}), 'Account', 'Acc\0unt'),
    reason: 'entityType contains NUL',
  },
  {
    what: 'a token that Postgres cannot keep',
    bytes: replace(
      encodeFence({ token: 'my token', prevToken: null, owner: '', address: '', occurredAt: 1 }),
      'my token',
      'my\0token',
    ),
    reason: 'token contains NUL',
  },
  {
    what: 'a type that Postgres cannot keep',
    bytes: replace(anEvent({}), 'Created', 'Crea\0ed'),
    reason: 'type contains NUL',
  },
];

const batch = buildBatch('a-webhook');
const aBatch = (parts: object, ofEvents: object = {}) =>
  encodeWebhookBatch({
    ...batch,
    events: batch.events.map((event) => ({ ...event, ...ofEvents })),
    ...parts,
  });

export const unreadableBatches: readonly UnreadableMessage[] = [
  {
    what: 'an event without a valid time',
    bytes: aBatch({}, { occurredAt: beyondDates }),
    reason: 'occurredAt is not a valid time',
  },
  {
    what: 'a batch without a valid time',
    bytes: aBatch({ enqueuedAt: beyondDates }),
    reason: 'enqueuedAt is not a valid time',
  },
  {
    what: 'an id that Postgres cannot keep',
    bytes: aBatch({ batchId: 'a\0b' }),
    reason: 'batchId contains NUL',
  },
];

/**
 * With a valid code these are not unreadable: a later version that defines the format, type or outcome has
 * written them.
 */
export const batchOfLaterFormat = aBatch({ payloadFormat: 'secret-format' });
export const eventOfLaterType = replace(anEvent({}), 'Created', 'Revived');

const anAttempt = (parts: object) =>
  encodeWebhookAttempt({
    batchId: batch.batchId,
    webhookId: 'a-webhook',
    attempt: 1,
    at: Date.now(),
    outcome: 'delivered',
    status: 200,
    reason: null,
    durationMs: 1,
    events: 1,
    ...parts,
  });

export const unreadableAttempts: readonly UnreadableMessage[] = [
  {
    what: 'an impossible time',
    bytes: anAttempt({ at: beyondDates }),
    reason: 'at is not a valid time',
  },
  {
    what: 'an id that Postgres cannot keep',
    bytes: anAttempt({ webhookId: 'a\0b' }),
    reason: 'webhookId contains NUL',
  },
  {
    what: 'an outcome that Postgres cannot keep',
    bytes: replace(anAttempt({}), 'delivered', 'deliver\0d'),
    reason: 'outcome contains NUL',
  },
];

export const attemptOfLaterOutcome = replace(anAttempt({}), 'delivered', 'forgotten');

const sha256 = 'ab'.repeat(32);
const aChunk = (parts: object) =>
  encodeFileChunk({ sha256, size: 6, start: 0, content: Buffer.from('secret'), ...parts });

export const unreadableChunks: readonly UnreadableMessage[] = [
  {
    what: 'a name that is not a hash',
    bytes: aChunk({ sha256: `${sha256.slice(1)}\0` }),
    reason: 'invalid sha256',
  },
  {
    what: 'a piece behind the end',
    bytes: aChunk({ start: 1 }),
    reason: 'chunk exceeds the size of its file',
  },
  {
    what: 'a piece before the beginning',
    bytes: aChunk({ start: -6 }),
    reason: 'chunk exceeds the size of its file',
  },
];
