import { expect, test } from 'vitest';
import { createUrlValidator } from './url-validator.ts';

test('a url is validated again after a second, with the current addresses', () => {
  let now = 0;
  const addresses: string[] = [];
  const validate = createUrlValidator(
    { allowed: [], ports: [], ownAddresses: () => addresses },
    () => now,
  );
  expect(validate('https://8.8.8.8/')).toMatchObject({ kind: 'address' });
  addresses.push('8.8.8.8');
  now = 999;
  expect(validate('https://8.8.8.8/')).toMatchObject({ kind: 'address' });
  now = 1_000;
  expect(validate('https://8.8.8.8/')).toMatchObject({ kind: 'refused' });
  expect(validate('https://9.9.9.9/')).toMatchObject({ kind: 'address' });
});
