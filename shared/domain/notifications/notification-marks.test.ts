import { describe, expect, it } from 'vitest';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import { evolve } from '../record/evolve.ts';
import type { RecordState } from '../record/record-state.ts';
import {
  decideMarks,
  firstUnread,
  isRead,
  type MarkChange,
  type NumberRange,
  notificationMarksType,
  readMarks,
} from './notification-marks.ts';

/** Applies changes one after the other, like the owner of the directory. */
function stateAfter(changes: readonly MarkChange[]): RecordState | undefined {
  let state: RecordState | undefined;
  for (const change of changes) {
    const decision = decideMarks(state, change);
    if (decision === undefined) continue;
    const event = aCreation(notificationMarksType, {}, { recordId: 'u1' });
    state = evolve(state, { ...event, version: (state?.version ?? 0) + 1, ...decision });
  }
  return state;
}

const marksAfter = (...changes: readonly MarkChange[]) => readMarks(stateAfter(changes));
const reading = (...ranges: readonly NumberRange[]) =>
  marksAfter(...ranges.map((read) => ({ read })));

describe('the marks of a user', () => {
  it('merge ranges that overlap or touch', () => {
    expect(reading([10, 20], [30, 40]).read).toEqual([
      [10, 20],
      [30, 40],
    ]);
    expect(reading([30, 40], [10, 20], [15, 29]).read).toEqual([[10, 40]]);
    expect(reading([10, 40], [20, 30]).read).toEqual([[10, 40]]);
  });

  it('determine whether an item is read', () => {
    const marks = reading([0, 20], [30, 40]);
    expect([0, 20, 21, 30, 40, 41].filter((number) => isRead(marks, number))).toEqual([
      0, 20, 30, 40,
    ]);
    expect(firstUnread(marks)).toBe(21);
    expect(firstUnread(reading([30, 40]))).toBe(0);
    expect(firstUnread(readMarks(undefined))).toBe(0);
  });

  it('stay small', () => {
    const ranges = Array.from({ length: 100 }, (_, index) => [index * 10, index * 10 + 1] as const);
    const { read } = reading(...ranges);
    expect(read).toHaveLength(20);
    expect([read[0]?.[0], read.at(-1)]).toEqual([0, [990, 991]]);
    const removing = Array.from({ length: 300 }, (_, index) => ({ removedId: `${index}` }));
    const { removedIds } = marksAfter(...removing);
    expect(removedIds).toHaveLength(200);
    expect(removedIds.at(-1)).toBe('299');
  });

  it('do not change if nothing new is read or removed', () => {
    const state = stateAfter([{ read: [0, 20] }, { removedId: 'a' }]);
    expect(decideMarks(state, { read: [5, 10] })).toBeUndefined();
    expect(decideMarks(state, { removedId: 'a' })).toBeUndefined();
    expect(readMarks(state)).toEqual({ read: [[0, 20]], removedIds: ['a'] });
  });

  it('do not change the revision of the directory', () => {
    const directory = createDirectory(stockDefinitions);
    const before = directory.revision();
    directory.apply(aCreation(notificationMarksType, { read: '0-5' }, { recordId: 'u1' }));
    expect(directory.revision()).toBe(before);
    expect(readMarks(directory.record(notificationMarksType, 'u1')).read).toEqual([[0, 5]]);
  });
});
