import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { ApiError, Unreachable } from './errors.ts';
import { createFormKey, markUnread, untilWritten } from './write.ts';

const failure = (status: number, body: object) =>
  new ApiError({ status, reason: '', body, requestId: 'q', consistencyToken: 'r1-7' });

describe('the Idempotency-Key of a form', () => {
  it('stays the same until the input changes', () => {
    let count = 0;
    const keyOf = createFormKey(() => `key-${++count}`);
    expect(keyOf({ name: 'Acme' })).toBe('key-1');
    expect(keyOf({ name: 'Acme' })).toBe('key-1');
    expect(keyOf({ name: 'Acme Ltd' })).toBe('key-2');
    expect(keyOf({ name: 'Acme' })).toBe('key-3');
  });

  it('differs between forms', () => {
    expect(createFormKey()({})).not.toBe(createFormKey()({}));
  });
});

describe('a write', () => {
  it('succeeds even if reads do not see it yet', async () => {
    const unread = failure(503, { code: 'write.unread', message: '', recordId: 'a' });
    expect(await untilWritten(Promise.reject(unread))).toEqual({
      kind: 'unread',
      id: 'a',
      token: 'r1-7',
    });
    expect(await untilWritten(Promise.resolve({ id: 'b' }))).toEqual({ kind: 'readable', id: 'b' });
  });

  it.each([
    failure(503, { code: 'service.unavailable', message: '' }),
    failure(400, { code: 'record.invalid', message: '' }),
    new Unreachable(new Error('offline'), 'q'),
  ])('fails with every other error', async (error) => {
    await expect(untilWritten(Promise.reject(error))).rejects.toBe(error);
  });
});

describe('an unread record', () => {
  const record = { entity: 'Account', id: 'a', name: 'Acme', token: 'r1-7' };

  it('is listed until a read succeeds, while failures are transient', async () => {
    const queries = new QueryClient();
    const failures = [failure(503, {}), new Unreachable(new Error('offline'), 'q')];
    const listed: unknown[] = [];
    await markUnread(queries, record, {
      async read() {
        listed.push(queries.getQueryData(['unread']));
        const error = failures.shift();
        if (error !== undefined) throw error;
      },
      pause: async () => {},
    });
    expect(listed).toEqual([[record], [record], [record]]);
    expect(queries.getQueryData(['unread'])).toEqual([]);
  });

  it('is no longer listed once a read shows that it was deleted', async () => {
    const queries = new QueryClient();
    await markUnread(queries, record, {
      read: () => Promise.reject(failure(404, {})),
      pause: () => Promise.reject(new Error('paused')),
    });
    expect(queries.getQueryData(['unread'])).toEqual([]);
  });
});
