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
const recreated = { topicId: 'second', bytes: 10 };

/** Returns the names of topics with their ids, and of the partitions that are set aside. */
function plan(found: readonly PartitionDirectory[]) {
  const verdict = planRecovery(found);
  if ('obstacle' in verdict) return verdict.obstacle;
  const { topics, setAside } = verdict;
  return [
    topics.map(({ name, id, partitions }) => `${name} ${id} ${partitions.length}`),
    setAside.map(({ name }) => name),
  ];
}

describe('planning a recovery', () => {
  it('restores stray partitions and keeps the partitions in place', () => {
    const found = [partition('a', 1, stray), partition('a', 0, stray), partition('b', 0)];
    expect(plan(found)).toEqual([['a first 2', 'b first 1'], []]);
  });

  it('continues if some partitions of a topic were already restored', () => {
    const found = [partition('a', 0), partition('a', 1, stray)];
    expect(plan(found)).toEqual([['a first 2'], []]);
  });

  it('sets recreated topics aside even if they are larger than an empty stray topic', () => {
    const found = [
      partition('a', 0, stray),
      partition('a', 0, recreated),
      partition('b', 0, { ...stray, bytes: 0 }),
      partition('b', 0, recreated),
    ];
    expect(plan(found)).toEqual([
      ['a first 1', 'b first 1'],
      ['a-0', 'b-0'],
    ]);
  });

  it('restores the largest of several stray topics with the same name', () => {
    const found = [partition('a', 0, { ...stray, ...recreated }), partition('a', 0, stray)];
    expect(plan(found)).toEqual([['a first 1'], []]);
  });

  it('fails if the partitions to set aside are larger than the restored ones', () => {
    const found = [partition('a', 0, stray), partition('a', 0, { ...recreated, bytes: 101 })];
    expect(plan(found)).toBe(
      'The partitions that replaced stray ones (a) have 101 bytes, but the stray ones have only 100.',
    );
  });

  it('fails if a partition is missing', () => {
    const found = [partition('a', 0, stray), partition('a', 2, stray)];
    expect(plan(found)).toBe('a has only the partitions 0, 2.');
  });
});
