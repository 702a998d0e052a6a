import { expect, it } from 'vitest';
import { countBugs } from './count-bugs.ts';

function createCounter() {
  const reasons: string[] = [];
  const clock = { now: 0 };
  const bugs = countBugs(
    () => clock.now,
    (reason) => reasons.push(reason),
  );
  const report = (count: number) => Array.from({ length: count }, () => bugs.report());
  return { bugs, clock, reasons, report };
}

it('calls back at the eleventh unexpected error within a minute', () => {
  const { bugs, clock, reasons, report } = createCounter();
  report(9);
  clock.now = 59_999;
  report(1);
  expect(reasons).toEqual([]);
  report(1);
  expect(reasons).toEqual(['over 10 requests had unexpected errors within 60 s']);
  report(5);
  expect(reasons).toHaveLength(1);
  expect(bugs.total()).toBe(16);
});

it('forgets errors that are older than a minute', () => {
  const { clock, reasons, report } = createCounter();
  report(10);
  clock.now = 60_000;
  report(10);
  expect(reasons).toEqual([]);
});
