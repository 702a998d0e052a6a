import { expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import {
  createDirectory,
  entityDefinitionType,
} from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { convertAttributes } from './convert-attributes.ts';

const { entity } = createDirectory(stockDefinitions);
const user = { id: 'ann', name: 'Ann', userName: 'ann', teamIds: [] } as const;
const lead = {
  id: 'l',
  name: 'Ann Ray',
  firstName: 'Ann',
  lastName: 'Ray',
  status: 'New',
  accountName: 'Acme',
  addressCity: 'Berlin',
  opportunityAmount: 5,
  opportunityAmountCurrency: 'USD',
  source: 'Email',
  industry: 'Banking',
  emailAddress: 'a@x.co',
  title: null,
  createdAt: '2030-01-01 00:00:00',
};

const attributesFor = (type: 'admin' | 'api', data: object = {}, fieldData: object = {}) => {
  const values = { data, fieldData } as never;
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values };
  const model = entity('Lead');
  if (model === undefined) throw new Error('no Lead');
  return convertAttributes({ actor: buildActor({ ...user, type }, [role]), model, lead }, entity);
};

it('copies values to fields with the same name and type and to mapped fields', () => {
  expect(attributesFor('admin')).toEqual({
    Account: {
      name: 'Acme',
      billingAddressCity: 'Berlin',
      industry: 'Banking',
      emailAddress: 'a@x.co',
    },
    Contact: { firstName: 'Ann', lastName: 'Ray', addressCity: 'Berlin', emailAddress: 'a@x.co' },
    Opportunity: { amount: 5, amountCurrency: 'USD', leadSource: 'Email' },
  });
});

it('returns only entity types that the user may create and fields that the user may set', () => {
  const all = { create: 'yes', read: 'all' };
  const closed = { Account: { industry: { edit: 'no' } } };
  expect(attributesFor('api', { Account: all, Contact: { ...all, create: 'no' } }, closed)).toEqual(
    {
      Account: { name: 'Acme', billingAddressCity: 'Berlin', emailAddress: 'a@x.co' },
    },
  );
});

it('copies files between matching fields but no links to another entity type', () => {
  const directory = createDirectory(stockDefinitions);
  for (const [recordId, entityType] of [
    ['Lead', 'Case'],
    ['Account', 'Task'],
  ] as const) {
    const fields = {
      scan: { type: 'file' },
      kind: { type: 'varchar' },
      origin: { type: 'link', entityType },
    };
    directory.apply(aCreation(entityDefinitionType, { fields }, { recordId }));
  }
  const model = directory.entity('Lead');
  if (model === undefined) throw new Error('no Lead');
  const actor = buildActor({ ...user, type: 'admin' }, []);
  const filled = { id: 'l', scanId: 'f', scanName: 'a.txt', kind: 'k', originId: 'c' };
  expect(convertAttributes({ actor, model, lead: filled }, directory.entity)['Account']).toEqual({
    scanId: 'f',
    scanName: 'a.txt',
    kind: 'k',
  });
});
