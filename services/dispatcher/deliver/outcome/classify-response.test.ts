import { describe, expect, it } from 'vitest';
import { classifyResponse, readRetryAfter } from './classify-response.ts';

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
  it.each([200, 201, 202, 204, 299])('counts as a delivery with status %d', (status) => {
    expect(classifyResponse({ kind: 'answered', status }, now)).toEqual({ kind: 'delivered' });
  });

  it('removes the webhook with status 410', () => {
    expect(classifyResponse({ kind: 'answered', status: 410 }, now)).toEqual({ kind: 'gone' });
  });

  it.each([
    301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 408, 409, 411, 413, 418, 422, 429, 451,
    499, 500, 501, 502, 503, 504, 599, 999,
  ])('counts as a failure with status %d', (status) => {
    const reason = `HTTP status ${status}`;
    expect(classifyResponse({ kind: 'answered', status }, now)).toEqual({ kind: 'failed', reason });
  });
});

describe('a response with Retry-After', () => {
  it.each([429, 503])('requests a pause with status %d', (status) => {
    expect(askingForPatience(status)).toMatchObject({ kind: 'failed', retryAfterMs: 90_000 });
  });

  it.each([400, 500, 502])('requests no pause with status %d', (status) => {
    expect(askingForPatience(status)).toEqual({ kind: 'failed', reason: `HTTP status ${status}` });
  });
});

describe('a request without a response', () => {
  it('counts as a failure with its reason', () => {
    const failed = { kind: 'failed', reason: 'connection failed: ECONNREFUSED' } as const;
    expect(classifyResponse(failed, now)).toEqual(failed);
  });
});

const receivedAt = Date.parse('2026-01-02T03:04:05Z');

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    ['3600', 3_600_000],
    ['86400', 3_600_000],
    ['99999999999999999999999', 3_600_000],
    ['Fri, 02 Jan 2026 03:05:05 GMT', 60_000],
    ['Fri, 02 Jan 2026 09:04:05 GMT', 3_600_000],
    ['Fri, 02 Jan 2026 03:00:00 GMT', 0],
  ])('%s means %d ms', (value, ms) => {
    expect(readRetryAfter(['server', 'x', 'Retry-After', value], receivedAt)).toBe(ms);
  });

  it.each([['soon'], [''], ['1e3 s'], ['NaN']])('is ignored if it is %j', (value) => {
    expect(readRetryAfter(['retry-after', value], receivedAt)).toBeUndefined();
  });

  it('is read only from header names, not from values', () => {
    expect(readRetryAfter([], receivedAt)).toBeUndefined();
    expect(readRetryAfter(['x-hint', 'retry-after', 'age', '5'], receivedAt)).toBeUndefined();
  });
});
