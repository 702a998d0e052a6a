import { expect, it } from 'vitest';
import { mergeStepKey } from '../../../shared/domain/record/step-key.ts';
import { massActionKey } from '../mass-actions/mass-action.ts';
import { readIdempotencyKey } from './read-write-headers.ts';

const read = (key: string) => readIdempotencyKey({ 'idempotency-key': key });

it.each([massActionKey('6920300f5a1b2c3d4', 'a'), mergeStepKey('6920300f5a1b2c3d4', 't', 's')])(
  'rejects the key of an internal step: %s',
  (key) => expect(() => read(key)).toThrow('internal key'),
);

it.each(['mass-1-a', 'merge-accounts', 'restore-6920300f5a1b2c3d4'])('accepts the key %s', (key) =>
  expect(read(key)).toBe(key),
);
