import { describe, expect, it, vi } from 'vitest';
import { readReminders } from './read-reminders.ts';

const rule = { field: 'reminders', attribute: 'reminders' };
const popup = { type: 'Popup', seconds: 600 };

describe('reminders', () => {
  it('accept up to 10 entries, and drop other properties', () => {
    const report = vi.fn();
    const given = [
      { ...popup, id: 'x' },
      { type: 'Email', seconds: 0 },
    ];
    expect(readReminders(rule, given, report)).toEqual([popup, { type: 'Email', seconds: 0 }]);
    expect(readReminders(rule, Array(10).fill(popup), report)).toHaveLength(10);
    expect(readReminders(rule, [], report)).toEqual([]);
    expect(readReminders(rule, null, report)).toBeNull();
    expect(report).not.toHaveBeenCalled();
  });

  it.each([
    ['a text', 'Popup', 'valid'],
    ['an entry that is not an object', [600], 'valid'],
    ['an unknown type', [{ type: 'Sms', seconds: 600 }], 'valid'],
    ['no time', [{ type: 'Popup' }], 'valid'],
    ['a negative time', [{ type: 'Popup', seconds: -1 }], 'valid'],
    ['a time with a fraction', [{ type: 'Popup', seconds: 0.5 }], 'valid'],
    ['a time as text', [{ type: 'Popup', seconds: '600' }], 'valid'],
    ['11 entries', Array(11).fill(popup), 'maxCount'],
  ])('reject %s', (_name, value, type) => {
    const report = vi.fn();
    expect(readReminders(rule, value, report)).toBeUndefined();
    expect(report).toHaveBeenCalledWith(expect.objectContaining({ field: 'reminders', type }));
  });
});
