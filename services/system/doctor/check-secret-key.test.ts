import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { createSecretBox } from '../../../shared/secrets/secret-box.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { checkSecretKey } from './check-secret-key.ts';

const key = 'ab'.repeat(32);
const box = createSecretBox(key);
const other = createSecretBox('cd'.repeat(32));

const shop = aCreation('User', { userName: 'shop', apiKey: box.seal('a'), secretKey: null });
const webhook = aCreation('Webhook', { secretKey: box.seal('b') });
const strange = aCreation('SecondFactor', { totpSecret: other.seal('c') }, { recordId: '3' });

function check(secretKey: string | undefined, ...created: readonly RecordEvent[]) {
  const directory = createDirectory(stockDefinitions);
  for (const event of created) directory.apply(event);
  return checkSecretKey(secretKey, directory);
}

describe('the secret key', () => {
  it('opens every secret sealed with it', () => {
    expect(check(key, shop, webhook)).toMatchObject({
      verdict: 'ok',
      says: 'The secret key opens all 2 secrets of the log.',
    });
  });

  it('reports the secrets that it cannot open, or another key if it opens none', () => {
    expect(check(key, strange).says).toContain('it is another key');
    expect(check(key, shop, webhook, strange)).toMatchObject({
      verdict: 'fault',
      says: 'The secret key opens 2 of the 3 secrets of the log, but not those of SecondFactor 3.',
    });
  });

  it('is a fault if its format is invalid and a warning if it is not set', () => {
    expect(check('short', shop).verdict).toBe('fault');
    expect(check(undefined, shop).verdict).toBe('warning');
  });
});
