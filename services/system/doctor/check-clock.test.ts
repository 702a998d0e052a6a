import { expect, it } from 'vitest';
import { checkClock } from './check-clock.ts';

const check = (there: number) => checkClock('Kafka', { there, before: 100_000, after: 101_000 });

it('counts the duration of the request as uncertainty', () => {
  expect(check(100_500).verdict).toBe('ok');
  expect(check(98_500).verdict).toBe('ok');
  expect(check(102_500).verdict).toBe('ok');
});

it('reports the size and the direction of a clock offset', () => {
  expect(check(95_000)).toMatchObject({
    verdict: 'warning',
    says: 'The clock of Kafka is 5.0 s behind the clock of this host.',
    remedy: expect.stringContaining('NTP'),
  });
  expect(check(141_000)).toMatchObject({
    verdict: 'fault',
    says: 'The clock of Kafka is 40.0 s ahead of the clock of this host.',
  });
});
