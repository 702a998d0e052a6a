import { describe, expect, it } from 'vitest';
import { createRandomSource } from '../../test/support/builders/random-source.ts';
import { murmur2, partitionOf } from './partition-of.ts';

/** Test vectors from UtilsTest of Apache Kafka's Java client. */
const published = [
  ['21', -973932308],
  ['foobar', -790332482],
  ['a-little-bit-long-string', -985981536],
  ['a-little-bit-longer-string', -1486304829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
  ['abc', 479470107],
] as const;

describe('partitionOf', () => {
  it.each(published)('hashes %s like the Java client', (key, hash) => {
    expect(murmur2(Buffer.from(key))).toBe(hash);
  });

  it.each([
    ['21', 1173551340],
    ['foobar', 1357151166],
    ['abc', 479470107],
  ])('maps %s to its hash without the sign, modulo the number of partitions', (key, positive) => {
    for (const partitions of [1, 4, 24, 48]) {
      expect(partitionOf(key, partitions)).toBe(positive % partitions);
    }
  });

  it('hashes non-ASCII keys as UTF-8', () => {
    expect(murmur2(Buffer.from('Größe'))).toBe(murmur2(Buffer.from('Gr\u00f6\u00dfe', 'utf8')));
    expect(partitionOf('Größe', 1000)).toBe(
      (murmur2(Buffer.from('4772c3b6c39f65', 'hex')) & 0x7fffffff) % 1000,
    );
  });

  it('hashes ASCII and non-ASCII keys of every length as UTF-8', () => {
    const random = createRandomSource(7);
    const ascii = 'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(4);
    const keys = [
      ...Array.from({ length: 140 }, (_, length) => ascii.slice(0, length)),
      ...Array.from({ length: 500 }, () => random.text(80)),
      ...['\u007f', '\u0080', `${'a'.repeat(63)}\ud83d`, `${'a'.repeat(64)}é`, '\0'],
    ];
    const partitions = 1_000_003;
    const expected = keys.map((key) => (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions);
    expect(keys.map((key) => partitionOf(key, partitions))).toEqual(expected);
  });
});
