import { describe, expect, it } from 'vitest';
import {
  attemptOfLaterOutcome,
  batchOfLaterFormat,
  eventOfLaterType,
} from '../../test/support/builders/unreadable-messages.ts';
import { UnknownToThisVersion, UnreadableMessage } from '../domain/errors.ts';
import type { EntryProof } from './fold.ts';
import { decodeProven, LaterVersion } from './later-version.ts';
import { decodeLogEntry } from './log-entry-codec.ts';
import { decodeWebhookAttempt } from './webhook-attempt-codec.ts';
import { decodeWebhookBatch } from './webhook-batch-codec.ts';

const ofUnknownSchema = Buffer.concat([Buffer.from([0xc3, 0x01]), Buffer.alloc(30, 7)]);
const garbage = Buffer.from('nonsense');

describe('a message with an unknown schema', () => {
  it.each(['valid', 'seals'] as const)('throws LaterVersion if its code is %s', (proof) => {
    expect(() => decodeProven({ value: ofUnknownSchema, proof }, decodeWebhookBatch)).toThrow(
      LaterVersion,
    );
  });

  it.each(['none', 'wrong'] as const)('throws UnknownToThisVersion if its code is %s', (proof) => {
    const decode = () => decodeProven({ value: ofUnknownSchema, proof }, decodeWebhookBatch);
    expect(decode).toThrow(UnknownToThisVersion);
    expect(decode).not.toThrow(LaterVersion);
  });

  it.each([
    {
      what: 'a batch with an unknown payload format',
      value: batchOfLaterFormat,
      decode: decodeWebhookBatch,
      reason: /^unknown payloadFormat$/,
    },
    {
      what: 'an event with an unknown type',
      value: eventOfLaterType,
      decode: decodeLogEntry,
      reason: /^unknown event type "Revived"$/,
    },
    {
      what: 'an attempt with an unknown outcome',
      value: attemptOfLaterOutcome,
      decode: decodeWebhookAttempt,
      reason: /^unknown attempt outcome "forgotten"$/,
    },
  ])('is treated the same as $what', ({ value, decode, reason }) => {
    const decodeWith = (proof: EntryProof) => () => decodeProven<unknown>({ value, proof }, decode);
    expect(decodeWith('valid')).toThrow(LaterVersion);
    expect(decodeWith('none')).toThrow(reason);
  });

  it('is distinguished from bytes in an unknown encoding', () => {
    const decode = () => decodeProven({ value: garbage, proof: 'valid' }, decodeWebhookBatch);
    expect(decode).toThrow(UnreadableMessage);
    expect(decode).not.toThrow(LaterVersion);
  });
});
