import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deriveKey } from './derive-key.ts';
import { createEntryCodes } from './entry-codes.ts';

const masterKey = '5a'.repeat(32);
const codes = createEntryCodes(masterKey);
const place = { topic: 'annals.records', partition: 3 };
const value = Buffer.from('an entry');

function headersOf(seals?: boolean) {
  return codes.headersOf(place, { value, seals });
}

function verify(code: unknown, at = place, of: Buffer | null = value) {
  const headers = { 'annals-code': code as Buffer };
  return codes.verify(at, { offset: 7n, value: of, headers });
}

describe('entry codes', () => {
  it.each([
    [false, 1, 'valid'],
    [true, 2, 'seals'],
  ] as const)('consist of the kind and half an HMAC (seals: %s)', (seals, kind, proof) => {
    const code = headersOf(seals)['annals-code'];
    const hmac = createHmac('sha256', deriveKey(masterKey, 'annals log entries v1'))
      .update(`${kind} annals.records/3\n`)
      .update(value)
      .digest();
    expect(code).toEqual(Buffer.concat([Buffer.of(kind), hmac.subarray(0, 16)]));
    expect(verify(code)).toBe(proof);
  });

  it('do not match another place, value or kind, or a flipped bit', () => {
    const code = headersOf()['annals-code'] ?? Buffer.alloc(0);
    expect(verify(code, { ...place, partition: 4 })).toBe('wrong');
    expect(verify(code, { ...place, topic: 'annals.directory' })).toBe('wrong');
    expect(verify(code, place, Buffer.from('an Entry'))).toBe('wrong');
    expect(verify(code, place, null)).toBe('wrong');
    for (let bit = 0; bit < code.length * 8; bit += 1) {
      const flipped = Buffer.from(code);
      flipped.writeUInt8(code.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(verify(flipped)).toBe('wrong');
    }
  });

  it('are rejected if they are null, repeated or of the wrong length', () => {
    const code = headersOf()['annals-code'] ?? Buffer.alloc(0);
    expect(verify(code.subarray(0, 16))).toBe('wrong');
    expect(verify(Buffer.concat([code, Buffer.of(0)]))).toBe('wrong');
    expect(verify(Buffer.alloc(0))).toBe('wrong');
    expect(verify(null)).toBe('wrong');
    expect(verify([code, code])).toBe('wrong');
    expect(verify(Array.from({ length: 17 }, () => code))).toBe('wrong');
    expect(verify(undefined)).toBe('none');
  });

  it('are not verified below the trusted offset of a lost key', () => {
    const another = createEntryCodes('6b'.repeat(32), () => 8n);
    const message = { value, headers: headersOf() };
    expect(another.verify(place, { ...message, offset: 7n })).toBe('valid');
    expect(another.verify(place, { ...message, offset: 8n })).toBe('wrong');
    expect(another.verify(place, { ...message, offset: 7n, value: null })).toBe('wrong');
  });
});
