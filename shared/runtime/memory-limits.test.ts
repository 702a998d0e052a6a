import { totalmem } from 'node:os';
import { expect, it } from 'vitest';
import { heapLimitBytes, memoryLimitBytes } from './memory-limits.ts';

it('returns the container limit, or the machine memory without a container limit', () => {
  const mebibyte = 2 ** 20;
  expect(memoryLimitBytes(mebibyte)).toBe(mebibyte);
  for (const none of [0, 2 ** 63, 2 ** 64]) expect(memoryLimitBytes(none)).toBe(totalmem());
  expect(memoryLimitBytes()).toBeGreaterThan(process.memoryUsage().rss);
});

it('returns a heap limit above the heap in use', () => {
  expect(heapLimitBytes()).toBeGreaterThan(process.memoryUsage().heapUsed);
});
