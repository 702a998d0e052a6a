import { describe, expect, it } from 'vitest';
import { classifyResponse } from './classify-response.ts';

const now = 0;

const askingForPatience = (status: number) =>
  classifyResponse(
    {
      kind: 'answered',
      status,
      observed: {
        headers: ['retry-after', '90'],
        body: Buffer.alloc(0),
        connectMs: 0,
        firstByteMs: 0,
        address: null,
      },
    },
    now,
  );

describe('a response', () => {
  it.each([200, 201, 202, 204, 299])('with status %d is a delivery', (status) => {
    expect(classifyResponse({ kind: 'answered', status }, now)).toEqual({ kind: 'delivered' });
  });

  it('with status 410 removes the webhook', () => {
    expect(classifyResponse({ kind: 'answered', status: 410 }, now)).toEqual({ kind: 'gone' });
  });

  it.each([
    301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 408, 409, 411, 413, 418, 422, 429, 451,
    499, 500, 501, 502, 503, 504, 599, 999,
  ])('with status %d is a failure', (status) => {
    const reason = `HTTP status ${status}`;
    expect(classifyResponse({ kind: 'answered', status }, now)).toEqual({ kind: 'failed', reason });
  });
});

describe('a response with Retry-After', () => {
  it.each([429, 503])('and status %d requests a pause', (status) => {
    expect(askingForPatience(status)).toMatchObject({ kind: 'failed', retryAfterMs: 90_000 });
  });

  it.each([400, 500, 502])('and status %d requests no pause', (status) => {
    expect(askingForPatience(status)).toEqual({ kind: 'failed', reason: `HTTP status ${status}` });
  });
});

describe('a request without a response', () => {
  it('is a failure with its reason', () => {
    const failed = { kind: 'failed', reason: 'connection failed: ECONNREFUSED' } as const;
    expect(classifyResponse(failed, now)).toEqual(failed);
  });
});
