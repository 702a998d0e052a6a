import { expect, it } from 'vitest';
import { isOverdue } from './open-tasks.tsx';

const noon = new Date(2030, 0, 31, 12);
const utc = (time: Date) => time.toISOString().slice(0, 19).replace('T', ' ');

it.each([
  ['yesterday', '2030-01-30', true],
  ['today', '2030-01-31', false],
  ['tomorrow', '2030-02-01', false],
])('a task that is due %s is overdue: %3$s', (_when, day, expected) => {
  expect(isOverdue(undefined, day, noon)).toBe(expected);
});

it('a task with a due time is overdue after that time', () => {
  expect(isOverdue(utc(new Date(2030, 0, 31, 11)), undefined, noon)).toBe(true);
  expect(isOverdue(utc(new Date(2030, 0, 31, 13)), undefined, noon)).toBe(false);
});

it('a task without a due date is never overdue', () => {
  expect(isOverdue(undefined, undefined, noon)).toBe(false);
});
