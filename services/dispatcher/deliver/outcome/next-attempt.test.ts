import { describe, expect, it } from 'vitest';
import { nextAttempt } from './next-attempt.ts';

const failedAfter = (attemptsMade: number, maxAttempts = 4, sparedAttempts = 0) =>
  nextAttempt({ attemptsMade, sparedAttempts, maxAttempts, now: 1_000, periodMs: 600_000 });

describe('a failed batch', () => {
  it('goes to the retry topic of its attempt, due a period later', () => {
    const dueAt = 601_000;
    expect([1, 2, 3].map((made) => failedAfter(made))).toEqual([
      { kind: 'retry', retryTopic: 0, dueAt },
      { kind: 'retry', retryTopic: 1, dueAt },
      { kind: 'retry', retryTopic: 2, dueAt },
    ]);
  });

  it('is given up after its last attempt, the first one counted', () => {
    expect(failedAfter(4)).toEqual({ kind: 'none' });
    expect(failedAfter(1, 1)).toEqual({ kind: 'none' });
    expect(failedAfter(9, 4)).toEqual({ kind: 'none' });
  });

  it('is not given up for attempts that do not count', () => {
    expect(failedAfter(6, 4, 3)).toMatchObject({ kind: 'retry', retryTopic: 2 });
    expect(failedAfter(7, 4, 3)).toEqual({ kind: 'none' });
  });

  it('stays in the last retry topic when there are more attempts than topics', () => {
    expect(failedAfter(7, 10)).toMatchObject({ kind: 'retry', retryTopic: 2 });
  });
});
