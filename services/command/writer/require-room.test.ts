import { describe, expect, it } from 'vitest';
import { StorageLow } from '../../../shared/domain/errors.ts';
import { toErrorAnswer } from '../../../shared/http/errors/answer-error.ts';
import type { StorageLevel } from '../../../shared/storage/storage-floor.ts';
import { createRequireRoom } from './require-room.ts';

describe('the check of free space', () => {
  it('allows all writes if there is enough space', () => {
    let level: StorageLevel = 'plenty';
    const requireRoom = createRequireRoom(() => level);
    for (const type of ['Contact', 'Webhook', 'AuthToken']) {
      expect(() => requireRoom(type)).not.toThrow();
    }
    level = 'low';
    expect(() => requireRoom('Contact')).toThrow(StorageLow);
  });

  it('allows only log-ins and e-mails if space is low', () => {
    const requireRoom = createRequireRoom(() => 'low');
    expect(() => requireRoom('Contact')).toThrow(StorageLow);
    expect(() => requireRoom('Webhook')).toThrow(StorageLow);
    expect(() => requireRoom('User')).toThrow(StorageLow);
    expect(() => requireRoom('AuthToken')).not.toThrow();
    expect(() => requireRoom('SecondFactor')).not.toThrow();
    expect(() => requireRoom('QueuedEmail')).not.toThrow();
  });

  it('rejects all writes if space is critically low', () => {
    for (const type of ['Contact', 'AuthToken', 'SecondFactor']) {
      expect(() => createRequireRoom(() => 'scarce')(type)).toThrow(StorageLow);
    }
  });
});

it('reports low space to clients with status 507 and Retry-After', () => {
  expect(toErrorAnswer(new StorageLow())).toMatchObject({
    status: 507,
    code: 'storage.low',
    retryAfterSeconds: 10,
  });
});
