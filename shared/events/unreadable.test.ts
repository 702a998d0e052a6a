import { describe, expect, it } from 'vitest';
import { aCreation } from '../../test/support/builders/record-event-builder.ts';
import {
  unreadableAttempts,
  unreadableBatches,
  unreadableChunks,
  unreadableEvents,
} from '../../test/support/builders/unreadable-messages.ts';
import { UnreadableMessage } from '../domain/errors.ts';
import { decodeReadable } from './decode-readable.ts';
import { decodeFileChunk } from './file-chunk-codec.ts';
import { decodeLogEntry, encodeEvent } from './log-entry-codec.ts';
import { decodeWebhookAttempt } from './webhook-attempt-codec.ts';
import { decodeWebhookBatch } from './webhook-batch-codec.ts';

describe.each([
  { message: 'event', decode: decodeLogEntry, cases: unreadableEvents },
  { message: 'webhook batch', decode: decodeWebhookBatch, cases: unreadableBatches },
  { message: 'webhook attempt', decode: decodeWebhookAttempt, cases: unreadableAttempts },
  { message: 'file chunk', decode: decodeFileChunk, cases: unreadableChunks },
])('bytes in a known schema', ({ message, decode, cases }) => {
  it.each(cases)(
    `are rejected as a ${message} with $what, and no value is revealed`,
    (unreadable) => {
      const { bytes, reason } = unreadable;
      expect(() => decode(bytes)).toThrow(new UnreadableMessage(reason));
      expect(reason).not.toContain('secret');
      expect(decodeReadable<unknown>({ value: bytes, proof: 'none' }, decode)).toBeUndefined();
    },
  );
});

it('rethrows other decoder errors instead of skipping the entry', () => {
  const decode = () => {
    throw new TypeError('a bug');
  };
  expect(() => decodeReadable({ value: null, proof: 'none' }, decode)).toThrow(TypeError);
});

it.each(['a\0b', ['\0'], { 'a\0': 1 }, ['\ud83d'], ['\ud83d!'], { '\ude42': null }])(
  'refuses to encode an event with the undecodable value %j',
  (value) => {
    for (const change of [{ after: value }, { before: value }]) {
      const changes = [{ attribute: 'name', before: null, after: null, ...change }];
      const event = { ...aCreation('Account', {}, { changes }), token: 't', sequence: 1 };
      expect(() => encodeEvent(event)).toThrow(UnreadableMessage);
    }
  },
);

it.each(['\\u0000', ['\\u0000', '\\ud83d'], ['🙂', '\t'], { '🙂': '\\\\u0000' }])(
  'decodes an event with %j unchanged',
  (value) => {
    const changes = [{ attribute: 'name', before: null, after: value }];
    const event = { ...aCreation('Account', {}, { changes }), token: 't', sequence: 1 };
    expect(decodeLogEntry(encodeEvent(event))).toEqual({ kind: 'event', event });
  },
);
