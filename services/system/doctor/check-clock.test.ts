import { expect, it } from 'vitest';
import { judgeClock } from './check-clock.ts';

const judge = (there: number) => judgeClock('Kafka', { there, before: 100_000, after: 101_000 });

it('counts the duration of the request as uncertainty', () => {
  expect(judge(100_500).verdict).toBe('ok');
  expect(judge(98_500).verdict).toBe('ok');
  expect(judge(102_500).verdict).toBe('ok');
});

it('reports by how much a clock is off, and in which direction', () => {
  expect(judge(95_000)).toMatchObject({
    verdict: 'warning',
    says: 'is 5.0 s behind this host',
    remedy: expect.stringContaining('NTP'),
  });
  expect(judge(141_000)).toMatchObject({ verdict: 'fault', says: 'is 40.0 s ahead of this host' });
});
