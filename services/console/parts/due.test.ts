import { expect, it } from 'vitest';
import { isOverdue, sortByDue } from './due.ts';

const noon = new Date(2030, 0, 31, 12);
const utc = (time: Date) => time.toISOString().slice(0, 19).replace('T', ' ');
const at = (hour: number, day = 31) => utc(new Date(2030, 0, day, hour));

it.each([
  ['yesterday', '2030-01-30', true],
  ['today', '2030-01-31', false],
  ['tomorrow', '2030-02-01', false],
])('a task that is due %s is overdue: %3$s', (_when, dateEndDate, expected) => {
  expect(isOverdue({ dateEnd: null, dateEndDate }, noon)).toBe(expected);
});

it('a task with a due time is overdue after that time', () => {
  expect(isOverdue({ dateEnd: at(11), dateEndDate: null }, noon)).toBe(true);
  expect(isOverdue({ dateEnd: at(13), dateEndDate: null }, noon)).toBe(false);
});

it('a task without a due date is never overdue', () => {
  expect(isOverdue({ dateEnd: null }, noon)).toBe(false);
});

it('sorts due times and whole days together, and tasks without a due date to the end', () => {
  const tasks = [
    { id: 'evening', dateEnd: at(20) },
    { id: 'later', dateEnd: at(9, 40) },
    { id: 'yesterday', dateEndDate: '2030-01-30' },
    { id: 'today', dateEndDate: '2030-01-31' },
    { id: 'newest', dateEnd: null, dateEndDate: null },
    { id: 'older' },
  ];
  expect(sortByDue(tasks).map(({ id }) => id)).toEqual([
    'yesterday',
    'evening',
    'today',
    'later',
    'newest',
    'older',
  ]);
});

it('a task that is due on a whole day is overdue after midnight in the time zone of the user', () => {
  const task = { dateEnd: null, dateEndDate: '2030-01-31' };
  const after = (time: string, zone: string) => isOverdue(task, new Date(time), zone);
  expect(after('2030-01-31T14:59:59Z', 'Asia/Tokyo')).toBe(false);
  expect(after('2030-01-31T15:00:00Z', 'Asia/Tokyo')).toBe(true);
  expect(after('2030-02-01T04:59:59Z', 'America/New_York')).toBe(false);
  expect(after('2030-02-01T05:00:00Z', 'America/New_York')).toBe(true);
});

it('sorts whole days by their end in the time zone of the user', () => {
  const tasks = [
    { id: 'day', dateEndDate: '2030-01-31' },
    { id: 'time', dateEnd: '2030-01-31 20:00:00' },
  ];
  const order = (zone: string) => sortByDue(tasks, zone).map(({ id }) => id);
  expect(order('Asia/Tokyo')).toEqual(['day', 'time']);
  expect(order('America/New_York')).toEqual(['time', 'day']);
});
