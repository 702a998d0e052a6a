import { describe, expect, it } from 'vitest';
import { restartDelayMs } from './keep-running.ts';

describe('restartDelayMs', () => {
  it('doubles with every consecutive failure, up to ten seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 100].map(restartDelayMs)).toEqual([
      0, 250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ]);
  });
});
