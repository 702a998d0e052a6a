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
