import { expect, it } from 'vitest';
import { shareOut } from './fill-in-threads.ts';

const records = (...entries: readonly number[]) =>
  entries.map((count, partition) => ({ topic: 'records', partition, entries: count }));

const partitionsOf = (shares: ReturnType<typeof shareOut>) =>
  shares.map((share) => share.map(({ partition }) => partition));

it('gives each thread about the same number of entries', () => {
  const shares = shareOut(records(10_000, 60_000, 20_000, 30_000), 2);
  expect(partitionsOf(shares).toSorted()).toEqual([[1], [3, 2, 0]].toSorted());
});

it('limits the threads by the number of cores, partitions and entries', () => {
  expect(shareOut(records(1e6, 1e6, 1e6), 2)).toHaveLength(2);
  expect(shareOut(records(1e6, 1e6), 64)).toHaveLength(2);
  expect(shareOut(records(15_000, 15_000), 2)).toHaveLength(1);
  expect(shareOut(records(5_000, 5_000), 2)).toEqual([]);
  expect(shareOut([], 2)).toEqual([]);
});
