import { describe, expect, it } from 'vitest';
import { batchOfLaterFormat } from '../../test/support/builders/unreadable-messages.ts';
import { UnknownSchema, UnreadableMessage } from '../domain/errors.ts';
import { decodeProven, LaterVersion } from './later-version.ts';
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
    expect(decode).toThrow(UnknownSchema);
    expect(decode).not.toThrow(LaterVersion);
  });

  it('is a batch of a payload format that is not known, too', () => {
    const value = batchOfLaterFormat;
    expect(() => decodeProven({ value, proof: 'valid' }, decodeWebhookBatch)).toThrow(LaterVersion);
    const decode = () => decodeProven({ value, proof: 'none' }, decodeWebhookBatch);
    expect(decode).toThrow(/^the payloadFormat is none that this version knows$/);
  });

  it('is not what is in no encoding of ours', () => {
    const decode = () => decodeProven({ value: garbage, proof: 'valid' }, decodeWebhookBatch);
    expect(decode).toThrow(UnreadableMessage);
    expect(decode).not.toThrow(LaterVersion);
  });
});
