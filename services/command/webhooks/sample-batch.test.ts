import { expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { toWebhook } from '../../../shared/domain/webhook/record/webhook.ts';
import { sampleBatch } from './sample-batch.ts';

const directory = createDirectory(stockDefinitions);

/** Returns the data of the only event in a sample. */
function sampleOf(event: string): unknown {
  const [entityType = '', type = '', field = null] = event.split('.');
  const values = { event, entityType, type, field, url: 'https://example.com', userId: 'bot' };
  const record = { entityType: 'Webhook', id: 'w', version: 1, deleted: false, values };
  const { events } = sampleBatch(directory, toWebhook(record), Date.UTC(2030, 0, 1));
  expect(events).toHaveLength(1);
  return JSON.parse(events[0]?.data ?? '');
}

const modification = {
  modifiedAt: '2030-01-01 00:00:00',
  modifiedById: 'bot',
  modifiedByName: null,
};
const relations = [{ id: 'sample', foreignId: 'other-sample' }];

it.each([
  ['Contact.relate.accounts', { link: 'accounts', foreignType: 'Account', relations }],
  ['Account.unrelate.contacts', { link: 'contacts', foreignType: 'Contact', relations }],
  ['Task.relate.parent', { link: 'parent', foreignType: 'Account', relations }],
  ['Account.delete', { id: 'sample' }],
  ['Account.fieldUpdate.name', { id: 'sample', name: 'Sample', ...modification }],
  ['Account.update', { id: 'sample', name: 'Sample', ...modification }],
])('a sample of %s has the shape of a real event', (event, data) => {
  expect(sampleOf(event)).toEqual(data);
});

it('a sample of a creation contains the whole record', () => {
  expect(sampleOf('Account.create')).toMatchObject({ id: 'sample', name: 'Sample', type: null });
});
