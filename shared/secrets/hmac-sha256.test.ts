import { createHmac, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { deriveKey } from './derive-key.ts';
import { createHmacSha256 } from './hmac-sha256.ts';

const key = deriveKey('c3'.repeat(32), 'test');
const prefixes = ['1 annals.records/0\n', '2 annals.records/11\n', '', 'ü/0\n'];

it('computes the same HMAC as Node for values of 0 to 70,000 bytes', () => {
  const hmac = createHmacSha256(key);
  const bytes = randomBytes(70_000);
  const sizes = [
    ...Array.from({ length: 200 }, (_, size) => size),
    ...Array.from({ length: 50 }, (_, index) => 200 + index * 1_399),
    // A prefix and a value of 64 KiB together.
    ...Array.from({ length: 50 }, (_, index) => 65_430 + index),
    70_000,
  ];
  const wrong = sizes.filter((size) => {
    const value = bytes.subarray(bytes.length - size);
    return prefixes.some(
      (prefix) =>
        hmac(prefix, value) !==
        createHmac('sha256', key).update(prefix).update(value).digest('binary'),
    );
  });
  expect(wrong).toEqual([]);
});
