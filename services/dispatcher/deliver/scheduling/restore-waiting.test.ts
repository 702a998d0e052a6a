import { describe, expect, it } from 'vitest';
import { DueRuns } from './restore-waiting.ts';

const MINUTE = 60_000;

function split(dueTimes: readonly (number | undefined)[], nextDueAt: number) {
  const runs = new DueRuns(0n);
  for (const [index, dueAt] of dueTimes.entries()) runs.add(BigInt(index), dueAt);
  return runs.split(BigInt(dueTimes.length), nextDueAt);
}

describe('the runs of a retry partition', () => {
  it('form one run while entries come due in log order', () => {
    const expected = { ranges: [{ from: 0n }], early: [] };
    expect(split([], MINUTE)).toEqual(expected);
    expect(split([1_000, 2_000, 2_000], MINUTE)).toEqual(expected);
    expect(split([1_000, undefined, 900, 2_000], 1_500)).toEqual(expected);
  });

  it('are split where a later entry is due before an earlier one', () => {
    expect(
      split([10 * MINUTE, 11 * MINUTE, undefined, 2 * MINUTE, 3 * MINUTE], 4 * MINUTE),
    ).toEqual({ ranges: [{ from: 0n, to: 3n }, { from: 3n }], early: [0n, 1n, 2n] });
  });

  it('are split before future entries that are due earlier', () => {
    expect(split([10 * MINUTE, 11 * MINUTE], MINUTE)).toEqual({
      ranges: [{ from: 0n, to: 2n }, { from: 2n }],
      early: [0n, 1n],
    });
  });

  it('match the number of configured periods up to a limit', () => {
    const falling = Array.from({ length: 20 }, (_, index) => (30 - index) * MINUTE);
    const { ranges, early } = split(falling, MINUTE);
    expect(ranges).toHaveLength(8);
    expect(ranges.at(-1)).toEqual({ from: 7n });
    expect(early).toHaveLength(7);
  });

  it('are not split if the offsets of the waiting entries exceed the memory limit', () => {
    const many = Array.from({ length: 100_002 }, () => 10 * MINUTE);
    expect(split(many, MINUTE)).toEqual({ ranges: [{ from: 0n }], early: [] });
  });
});
