import { describe, expect, it } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const box = createSecretBox('00112233445566778899aabbccddeeff'.repeat(2));
const otherBox = createSecretBox('ff112233445566778899aabbccddeeff'.repeat(2));

describe('a secret box', () => {
  it('opens every text that it sealed', () => {
    for (const text of ['', 'a', 'Grüße 🙂', 'x'.repeat(10_000)]) {
      expect(box.open(box.seal(text))).toBe(text);
    }
  });

  it('seals the same text differently each time and never in readable form', () => {
    const sealed = box.seal('my secret');
    expect(sealed).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
    expect(sealed).not.toBe(box.seal('my secret'));
    expect(Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.toContain('secret');
  });

  it('does not open a text that was modified, truncated or sealed with another key', () => {
    const sealed = box.seal('my secret');
    const flipped = sealed.slice(0, 10) + (sealed[10] === 'A' ? 'B' : 'A') + sealed.slice(11);
    expect(() => box.open(flipped)).toThrow();
    expect(() => box.open(sealed.slice(0, 20))).toThrow(/truncated/);
    expect(() => box.open('my secret')).toThrow(/not a sealed text/);
    expect(() => otherBox.open(sealed)).toThrow();
    expect([box.tryOpen(sealed), box.tryOpen(flipped), otherBox.tryOpen(sealed)]).toEqual([
      'my secret',
      null,
      null,
    ]);
  });

  it('hashes an API key identically each time and differently with another master key', () => {
    const apiKey = 'd41d8cd98f00b204e9800998ecf8427e';
    expect(box.lookupHash(apiKey)).toMatch(/^[0-9a-f]{64}$/);
    expect(box.lookupHash(apiKey)).toBe(box.lookupHash(apiKey));
    expect(box.lookupHash(apiKey)).not.toBe(otherBox.lookupHash(apiKey));
  });

  it('has one internal token per master key', () => {
    expect(box.internalToken()).toMatch(/^[0-9a-f]{64}$/);
    expect(box.internalToken()).toBe(box.internalToken());
    expect(box.internalToken()).not.toBe(otherBox.internalToken());
  });

  it('rejects a master key with an invalid format', () => {
    expect(() => createSecretBox('abc')).toThrow(/64 hexadecimal/);
    expect(() => createSecretBox('g'.repeat(64))).toThrow(/64 hexadecimal/);
  });
});
