import { describe, expect, it } from 'vitest';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { createSecretBox } from '../../../shared/secrets/secret-box.ts';
import { checkSecretKey } from './check-secret-key.ts';

const key = 'ab'.repeat(32);
const box = createSecretBox(key);
const other = createSecretBox('cd'.repeat(32));

const state = (entityType: string, id: string, values: RecordState['values']): RecordState => ({
  entityType,
  id,
  version: 1,
  deleted: false,
  values,
});

function directoryOf(...records: readonly RecordState[]) {
  return { records: (type: string) => records.filter(({ entityType }) => entityType === type) };
}

const shop = state('User', '1', { userName: 'shop', apiKey: box.seal('a'), secretKey: null });
const webhook = state('Webhook', '2', { secretKey: box.seal('b') });
const strange = state('SecondFactor', '3', { totpSecret: other.seal('c') });

const check = (secretKey: string | undefined, ...records: readonly RecordState[]) =>
  checkSecretKey(secretKey, directoryOf(...records));

describe('the secret key', () => {
  it('opens everything that was sealed with it', () => {
    expect(check(key, shop, webhook)).toMatchObject({
      verdict: 'ok',
      says: 'opens all 2 secrets of the log',
    });
  });

  it('is reported as another key if it opens nothing, and otherwise with the secrets that it cannot open', () => {
    expect(check(key, strange).says).toContain('it is another key');
    expect(check(key, shop, webhook, strange)).toMatchObject({
      verdict: 'fault',
      says: 'opens 2 of the 3 secrets of the log, but not those of SecondFactor 3',
    });
  });

  it('is a fault in an invalid form, and a warning if it is not set', () => {
    expect(check('short', shop).verdict).toBe('fault');
    expect(check(undefined, shop).verdict).toBe('warning');
  });
});
