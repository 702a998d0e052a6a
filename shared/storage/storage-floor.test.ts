import { describe, expect, it } from 'vitest';
import { classifyStorage, MIB, type Storage, type StorageLevel, toFloor } from './storage-floor.ts';

const GIB = 1024 * MIB;

const disk = (totalBytes: number, totalInodes = 0) => ({
  path: '/',
  totalBytes,
  totalInodes,
  freeBytes: 0,
  freeInodes: 0,
});

describe('the floor', () => {
  it.each([
    ['a tenth of the disk', 5 * GIB, 512 * MIB],
    ['the space that Kafka and Postgres need to recover on a small disk', 600 * MIB, 64 * MIB],
    ['a gigabyte on a large disk', 2_000 * GIB, GIB],
  ])('is %s', (_, totalBytes, floor) => {
    expect(toFloor(disk(totalBytes)).bytes).toBeCloseTo(floor, -1);
  });

  it('is the configured value if the operator sets one', () => {
    expect(toFloor(disk(600 * MIB), 200 * MIB).bytes).toBe(200 * MIB);
  });

  it('includes inodes if the file system has a fixed number of them', () => {
    expect(toFloor(disk(GIB, 40_000)).inodes).toBe(2_000);
    expect(toFloor(disk(GIB, 16_000_000)).inodes).toBe(10_000);
    expect(toFloor(disk(GIB, 0)).inodes).toBe(0);
  });
});

describe('the level', () => {
  const floor = { bytes: 100 * MIB, inodes: 2_000 };
  const classify = (change: Partial<Storage>, before: StorageLevel = 'plenty') =>
    classifyStorage(
      {
        path: '/data',
        freeBytes: GIB,
        totalBytes: 2 * GIB,
        freeInodes: 9_000,
        totalInodes: 40_000,
        ...change,
      },
      floor,
      before,
    );

  it.each([
    [100, 'plenty'],
    [99, 'low'],
    [50, 'low'],
    [49, 'scarce'],
  ] as const)('with %d MiB free is %s', (free, level) => {
    expect(classify({ freeBytes: free * MIB })).toBe(level);
  });

  it.each([
    [1_999, 'low'],
    [999, 'scarce'],
  ] as const)('with %d inodes free is %s', (freeInodes, level) => {
    expect(classify({ freeInodes })).toBe(level);
  });

  it('ignores inodes if the file system allocates them on demand', () => {
    expect(classify({ freeInodes: 0, totalInodes: 0 })).toBe('plenty');
  });

  it('improves only with slightly more free space than its limit', () => {
    expect(classify({ freeBytes: 105 * MIB }, 'low')).toBe('low');
    expect(classify({ freeBytes: 111 * MIB }, 'low')).toBe('plenty');
    expect(classify({ freeBytes: 52 * MIB }, 'scarce')).toBe('scarce');
    expect(classify({ freeBytes: 56 * MIB }, 'scarce')).toBe('low');
    expect(classify({ freeBytes: GIB }, 'scarce')).toBe('plenty');
  });

  it('worsens immediately', () => {
    expect(classify({ freeBytes: 10 * MIB }, 'low')).toBe('scarce');
  });
});
