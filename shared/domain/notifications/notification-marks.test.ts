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
import { reminderId } from './reminder-id.ts';

const now = Date.parse('2030-01-31T10:00:00Z');
const startingIn = (hours: number, recordId = 'm1') =>
  reminderId({ recordId, startMs: now + hours * 3_600_000, seconds: 600 });

/** Applies changes one after the other, like the owner of the directory. */
function stateAfter(changes: readonly MarkChange[]): RecordState | undefined {
  let state: RecordState | undefined;
  for (const change of changes) {
    const decision = decideMarks(state, change, now);
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
    expect(decideMarks(state, { read: [5, 10] }, now)).toBeUndefined();
    expect(decideMarks(state, { removedId: 'a' }, now)).toBeUndefined();
    expect(readMarks(state)).toEqual({ read: [[0, 20]], removedIds: ['a'], dismissedIds: [] });
  });

  it('keep dismissed reminders until they are no longer due, and at most 200', () => {
    const [over, recent, ahead] = [startingIn(-25), startingIn(-23), startingIn(1)];
    const { dismissedIds } = marksAfter(
      { dismissedId: over },
      { dismissedId: recent },
      { dismissedId: ahead },
      { dismissedId: recent },
    );
    expect(dismissedIds).toEqual([ahead, recent]);
    const many = Array.from({ length: 300 }, (_, n) => ({ dismissedId: startingIn(1, `m${n}`) }));
    expect(marksAfter(...many).dismissedIds).toHaveLength(200);
    expect(marksAfter({ dismissedId: ahead }, { read: [0, 5] }).dismissedIds).toEqual([ahead]);
  });

  it('do not change the revision of the directory', () => {
    const directory = createDirectory(stockDefinitions);
    const before = directory.revision();
    directory.apply(aCreation(notificationMarksType, { read: '0-5' }, { recordId: 'u1' }));
    expect(directory.revision()).toBe(before);
    expect(readMarks(directory.record(notificationMarksType, 'u1')).read).toEqual([[0, 5]]);
  });
});
