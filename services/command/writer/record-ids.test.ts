import { describe, expect, it } from 'vitest';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import { createRecordIds } from './record-ids.ts';

describe('record ids', () => {
  it('are 17 lower-case hex characters sorted by time, even within a millisecond', () => {
    let now = Date.UTC(2026, 0, 1);
    const ids = createRecordIds(() => now, 4);
    const made = Array.from({ length: 5000 }, (_, index) => {
      if (index % 100 === 0) now += 1;
      return ids.next();
    });
    expect(made.every((id) => /^[0-9a-f]{17}$/.test(id))).toBe(true);
    expect(made).toEqual(made.toSorted());
    expect(new Set(made).size).toBe(made.length);
  });

  it('never repeat when the clock steps back', () => {
    let now = Date.UTC(2026, 0, 1);
    const ids = createRecordIds(() => now, 4);
    const before = ids.next();
    now -= 60_000;
    expect(ids.next() > before).toBe(true);
  });

  it('hash to the requested partition', () => {
    const ids = createRecordIds(() => Date.UTC(2026, 0, 1), 4);
    for (const partition of [0, 1, 2, 3]) {
      expect(partitionOf(ids.inPartition(partition), 4)).toBe(partition);
    }
  });

  it('increase by one within a millisecond', () => {
    const now = Date.UTC(2026, 0, 1);
    const ids = createRecordIds(() => now, 4);
    const first = ids.next();
    const numbers = Array.from({ length: 300 }, () => ids.next()).map((id) => BigInt(`0x${id}`));
    expect(numbers).toEqual(numbers.map((_, index) => BigInt(`0x${first}`) + BigInt(index + 1)));
  });
});
