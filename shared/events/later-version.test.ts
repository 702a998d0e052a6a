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

describe('a message of a schema that is not known', () => {
  it.each(['valid', 'seals'] as const)('is of a later version with a code that is %s', (proof) => {
    expect(() => decodeProven({ value: ofUnknownSchema, proof }, decodeWebhookBatch)).toThrow(
      LaterVersion,
    );
  });

  it.each(['none', 'wrong'] as const)('is unreadable with the code %s', (proof) => {
    const decode = () => decodeProven({ value: ofUnknownSchema, proof }, decodeWebhookBatch);
    expect(decode).toThrow(UnknownToThisVersion);
    expect(decode).not.toThrow(LaterVersion);
  });

  it.each([
    {
      what: 'a batch of a payload format',
      value: batchOfLaterFormat,
      decode: decodeWebhookBatch,
      reason: /^the payloadFormat is none that this version knows$/,
    },
    {
      what: 'an event of a type',
      value: eventOfLaterType,
      decode: decodeLogEntry,
      reason: /^unknown event type "Revived"$/,
    },
    {
      what: 'an attempt of an outcome',
      value: attemptOfLaterOutcome,
      decode: decodeWebhookAttempt,
      reason: /^unknown attempt outcome "forgotten"$/,
    },
  ])('is $what that is not known, too', ({ value, decode, reason }) => {
    const decodeWith = (proof: EntryProof) => () => decodeProven<unknown>({ value, proof }, decode);
    expect(decodeWith('valid')).toThrow(LaterVersion);
    expect(decodeWith('none')).toThrow(reason);
  });

  it('is not what is in no encoding of ours', () => {
    const decode = () => decodeProven({ value: garbage, proof: 'valid' }, decodeWebhookBatch);
    expect(decode).toThrow(UnreadableMessage);
    expect(decode).not.toThrow(LaterVersion);
  });
});
