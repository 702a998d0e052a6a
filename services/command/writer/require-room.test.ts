import { describe, expect, it } from 'vitest';
import { StorageLow } from '../../../shared/domain/errors.ts';
import { toErrorAnswer } from '../../../shared/http/errors/error-answer.ts';
import type { StorageLevel } from '../../../shared/storage/storage-floor.ts';
import { createRequireRoom } from './require-room.ts';

describe('on a disk', () => {
  it('with plenty of room everything may be written', () => {
    let level: StorageLevel = 'plenty';
    const requireRoom = createRequireRoom(() => level);
    for (const type of ['Contact', 'Webhook', 'AuthToken']) {
      expect(() => requireRoom(type)).not.toThrow();
    }
    level = 'low';
    expect(() => requireRoom('Contact')).toThrow(StorageLow);
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
    for (const type of ['Contact', 'AuthToken', 'SecondFactor']) {
      expect(() => createRequireRoom(() => 'scarce')(type)).toThrow(StorageLow);
    }
  });
});

it('is told to clients as a disk that is full, with when to come again', () => {
  expect(toErrorAnswer(new StorageLow())).toMatchObject({
    status: 507,
    code: 'storage.low',
    retryAfterSeconds: 10,
  });
});
