import { describe, expect, it } from 'vitest';
import type { PartitionDirectory } from './partition-directory.ts';
import { planRecovery } from './plan-recovery.ts';

const partition = (
  topic: string,
  number: number,
  change: Partial<PartitionDirectory> = {},
): PartitionDirectory => ({
  name: `${topic}-${number}`,
  topic,
  partition: number,
  topicId: 'first',
  isStray: false,
  bytes: 100,
  leaderEpoch: 0,
  ...change,
});
const stray = { isStray: true };
const anew = { topicId: 'second', bytes: 10 };

/** Names of topics with their ids, and of what is put aside. */
function plan(found: readonly PartitionDirectory[]) {
  const verdict = planRecovery(found);
  if ('obstacle' in verdict) return verdict.obstacle;
  const { topics, setAside } = verdict;
  return [
    topics.map(({ name, id, partitions }) => `${name} ${id} ${partitions.length}`),
    setAside.map(({ name }) => name),
  ];
}

describe('the plan of a recovery', () => {
  it('brings stray partitions back, and keeps what is in its place', () => {
    const found = [partition('a', 1, stray), partition('a', 0, stray), partition('b', 0)];
    expect(plan(found)).toEqual([['a first 2', 'b first 1'], []]);
  });

  it('goes on where some partitions of a topic are back already', () => {
    const found = [partition('a', 0), partition('a', 1, stray)];
    expect(plan(found)).toEqual([['a first 2'], []]);
  });

  it('puts topics aside that were made anew meanwhile, also those that hold more than one that was empty', () => {
    const found = [
      partition('a', 0, stray),
      partition('a', 0, anew),
      partition('b', 0, { ...stray, bytes: 0 }),
      partition('b', 0, anew),
    ];
    expect(plan(found)).toEqual([
      ['a first 1', 'b first 1'],
      ['a-0', 'b-0'],
    ]);
  });

  it('takes of several stray ones the one with the most bytes', () => {
    const found = [partition('a', 0, { ...stray, ...anew }), partition('a', 0, stray)];
    expect(plan(found)).toEqual([['a first 1'], []]);
  });

  it('refuses to put more aside than it brings back', () => {
    const found = [partition('a', 0, stray), partition('a', 0, { ...anew, bytes: 101 })];
    expect(plan(found)).toBe(
      'What has taken the places of stray partitions (a) holds 101 bytes, and they hold 100.',
    );
  });

  it('refuses where a partition is missing', () => {
    const found = [partition('a', 0, stray), partition('a', 2, stray)];
    expect(plan(found)).toBe('Of a there are only the partitions 0, 2.');
  });
});
