import { describe, expect, it } from 'vitest';
import type { Storage } from './measure-storage.ts';
import { judgeStorage, MIB, type StorageLevel, toFloor } from './storage-floor.ts';

const GIB = 1024 * MIB;

const disk = (totalBytes: number, totalInodes = 0) => ({ totalBytes, totalInodes });

describe('the floor', () => {
  it.each([
    ['a tenth of the disk', 5 * GIB, 512 * MIB],
    ['what Kafka and Postgres need to recover, on a small one', 600 * MIB, 64 * MIB],
    ['a gigabyte, on a large one', 2_000 * GIB, GIB],
  ])('is %s', (_, totalBytes, floor) => {
    expect(toFloor(disk(totalBytes)).bytes).toBeCloseTo(floor, -1);
  });

  it('is what the operator says', () => {
    expect(toFloor(disk(600 * MIB), 200 * MIB).bytes).toBe(200 * MIB);
  });

  it('counts inodes too, where there is a number of them', () => {
    expect(toFloor(disk(GIB, 40_000)).inodes).toBe(2_000);
    expect(toFloor(disk(GIB, 16_000_000)).inodes).toBe(10_000);
    expect(toFloor(disk(GIB, 0)).inodes).toBe(0);
  });
});

describe('the level', () => {
  const floor = { bytes: 100 * MIB, inodes: 2_000 };
  const judge = (change: Partial<Storage>, before: StorageLevel = 'plenty') =>
    judgeStorage(
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
    expect(judge({ freeBytes: free * MIB })).toBe(level);
  });

  it.each([
    [1_999, 'low'],
    [999, 'scarce'],
  ] as const)('with %d inodes free is %s', (freeInodes, level) => {
    expect(judge({ freeInodes })).toBe(level);
  });

  it('asks for no inodes where the file system makes them as it needs them', () => {
    expect(judge({ freeInodes: 0, totalInodes: 0 })).toBe('plenty');
  });

  it('is left only with somewhat more room than it takes', () => {
    expect(judge({ freeBytes: 105 * MIB }, 'low')).toBe('low');
    expect(judge({ freeBytes: 111 * MIB }, 'low')).toBe('plenty');
    expect(judge({ freeBytes: 52 * MIB }, 'scarce')).toBe('scarce');
    expect(judge({ freeBytes: 56 * MIB }, 'scarce')).toBe('low');
    expect(judge({ freeBytes: GIB }, 'scarce')).toBe('plenty');
  });

  it('becomes worse at once', () => {
    expect(judge({ freeBytes: 10 * MIB }, 'low')).toBe('scarce');
  });
});
