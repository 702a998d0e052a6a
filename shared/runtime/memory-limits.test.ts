import { totalmem } from 'node:os';
import { expect, it } from 'vitest';
import { heapLimitBytes, memoryLimitBytes } from './memory-limits.ts';

it('is limited by its container, or by the machine where that says nothing', () => {
  const mebibyte = 2 ** 20;
  expect(memoryLimitBytes(mebibyte)).toBe(mebibyte);
  for (const none of [0, 2 ** 63, 2 ** 64]) expect(memoryLimitBytes(none)).toBe(totalmem());
  expect(memoryLimitBytes()).toBeGreaterThan(process.memoryUsage().rss);
});

it('has a limit of its heap too', () => {
  expect(heapLimitBytes()).toBeGreaterThan(process.memoryUsage().heapUsed);
});
