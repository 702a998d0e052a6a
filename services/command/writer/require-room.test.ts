import { describe, expect, it } from 'vitest';
import { StorageLow } from '../../../shared/domain/errors.ts';
import { toErrorAnswer } from '../../../shared/http/errors/error-answer.ts';
import { createRequireRoom } from './require-room.ts';

describe('on a disk', () => {
  it('with plenty of room everything may be written', () => {
    for (const type of ['Contact', 'Webhook', 'AuthToken']) {
      expect(() => createRequireRoom(() => 'plenty')(type)).not.toThrow();
    }
  });

  it('with little room only log-ins may', () => {
    const requireRoom = createRequireRoom(() => 'low');
    expect(() => requireRoom('Contact')).toThrow(StorageLow);
    expect(() => requireRoom('Webhook')).toThrow(StorageLow);
    expect(() => requireRoom('User')).toThrow(StorageLow);
    expect(() => requireRoom('AuthToken')).not.toThrow();
    expect(() => requireRoom('SecondFactor')).not.toThrow();
  });

  it('with hardly any, nothing may', () => {
    expect(() => createRequireRoom(() => 'scarce')('AuthToken')).toThrow(StorageLow);
  });
});

it('is told to clients as a disk that is full, with when to come again', () => {
  expect(toErrorAnswer(new StorageLow())).toMatchObject({
    status: 507,
    code: 'storage.low',
    retryAfterSeconds: 10,
  });
});
