import { describe, expect, it } from 'vitest';
import { classifyOutcome } from './classify-outcome.ts';

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('with status %d means delivered', (status) => {
    expect(classifyOutcome({ kind: 'answered', status })).toEqual({ kind: 'delivered' });
  });

  it('with status 410 means that the webhook is to go', () => {
    expect(classifyOutcome({ kind: 'answered', status: 410 })).toEqual({ kind: 'gone' });
  });

  it.each([
    301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 408, 409, 411, 413, 418, 422, 429, 451,
    499, 500, 501, 502, 503, 504, 599, 999,
  ])('with status %d means another attempt', (status) => {
    const reason = `HTTP status ${status}`;
    expect(classifyOutcome({ kind: 'answered', status })).toEqual({ kind: 'failed', reason });
  });
});

describe('no answer', () => {
  it('means another attempt, with its reason', () => {
    const failed = { kind: 'failed', reason: 'connection failed: ECONNREFUSED' } as const;
    expect(classifyOutcome(failed)).toEqual(failed);
  });
});
