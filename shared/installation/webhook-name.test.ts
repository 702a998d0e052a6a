import { expect, it } from 'vitest';
import { aCreation } from '../../test/support/builders/record-event-builder.ts';
import { createDirectory } from '../domain/directory/directory.ts';
import { stockDefinitions } from '../domain/entity/stock/stock-definitions.ts';
import { nameWebhook } from './webhook-name.ts';

it.each([
  ['https://example.org/hook', 'w1 at https://example.org/hook'],
  ['https://example.org:8443/hook?key=abc', 'w1 at https://example.org:8443/hook?…'],
  [null, 'w1'],
])('names a webhook with the URL %s as %s', (url, name) => {
  const directory = createDirectory(stockDefinitions);
  if (url !== null) directory.apply(aCreation('Webhook', { url }, { recordId: 'w1' }));
  expect(nameWebhook(directory, 'w1')).toBe(name);
});
