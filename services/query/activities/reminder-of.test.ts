import { describe, expect, it } from 'vitest';
import { createLocalClock } from '../../../shared/domain/value/date-time.ts';
import { reminderOf } from './reminder-of.ts';

const start = Date.parse('2030-01-31T10:00:00Z');
const popup = (...seconds: readonly number[]) =>
  seconds.map((one) => ({ type: 'Popup', seconds: one }));
const meeting = { id: 'm1', time: '2030-01-31 10:00:00', day: null };

function dueAt(secondsBefore: number, reminders: unknown, activity: object = {}, zone = 'UTC') {
  const now = start - secondsBefore * 1_000;
  const clock = createLocalClock(zone);
  return reminderOf({ ...meeting, ...activity, reminders }, { type: 'Popup', clock, now })?.id;
}

const idOf = (seconds: number, startMs = start) => `m1.${startMs / 1_000}.${seconds}`;

describe('a reminder', () => {
  it('is due from its time until 24 hours after the start', () => {
    const at = (seconds: number) => dueAt(seconds, popup(600));
    expect([at(601), at(600), at(0), at(-86_399), at(-86_400)]).toEqual([
      undefined,
      idOf(600),
      idOf(600),
      idOf(600),
      undefined,
    ]);
  });

  it('replaces earlier reminders of the same activity', () => {
    const reminders = popup(600, 86_400, 0);
    expect(dueAt(90_000, reminders)).toBeUndefined();
    expect(dueAt(3_600, reminders)).toBe(idOf(86_400));
    expect(dueAt(300, reminders)).toBe(idOf(600));
    expect(dueAt(0, reminders)).toBe(idOf(0));
  });

  it('is ignored if it is an e-mail or is invalid', () => {
    const invalid = [null, 5, 'Popup', {}, { type: 'Popup', seconds: '600' }, ...popup(-1, 0.5)];
    for (const reminders of [[{ type: 'Email', seconds: 600 }], invalid, null, {}, 'x']) {
      expect(dueAt(0, reminders)).toBeUndefined();
    }
  });

  it('of a whole day counts from midnight on the clock of the user', () => {
    const day = { time: null, day: '2030-01-31' };
    const newYork = start - 5 * 3_600_000;
    expect(dueAt(5 * 3_600 + 601, popup(600), day, 'America/New_York')).toBeUndefined();
    expect(dueAt(10 * 3_600, popup(0), day)).toBe(idOf(0, start - 10 * 3_600_000));
    expect(dueAt(5 * 3_600 - 1, popup(600), day, 'America/New_York')).toBe(idOf(600, newYork));
  });

  it('of a task without a due date is never due', () => {
    expect(dueAt(0, popup(600), { time: null, day: null })).toBeUndefined();
  });

  it('by e-mail is independent of popups', () => {
    const reminders = [...popup(600), { type: 'Email', seconds: 3_600 }];
    const clock = createLocalClock('UTC');
    const due = reminderOf({ ...meeting, reminders }, { type: 'Email', clock, now: start });
    expect(due).toEqual({ id: idOf(3_600), startMs: start, dueMs: start - 3_600_000 });
  });
});
