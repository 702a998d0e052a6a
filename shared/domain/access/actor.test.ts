import { describe, expect, it } from 'vitest';
import type { EntityDefinition } from '../entity/definition/entity-definition.ts';
import { buildEntityModel } from '../entity/model/entity-model.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import type { FieldDefinition } from '../field/field-types.ts';
import { buildActor, closedFields, mayReadAttribute } from './actor.ts';

function readerWithout(entityType: string, field: string) {
  const values = { fieldData: { [entityType]: { [field]: { read: 'no' } } } };
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values };
  const user = { id: 'u', name: 'u', userName: 'u', type: 'api', teamIds: [] } as const;
  return buildActor(user, [role]);
}

function modelOf(name: string, more: Readonly<Record<string, FieldDefinition>> = {}) {
  const definition: EntityDefinition | undefined = stockDefinitions.find(
    (one) => one.name === name,
  );
  if (definition === undefined) throw new Error(`no ${name}`);
  return buildEntityModel({ ...definition, fields: { ...definition.fields, ...more } });
}

describe('a closed field', () => {
  it.each([
    ['Opportunity', 'amount', ['amountWeightedConverted']],
    ['Opportunity', 'probability', ['amountWeightedConverted']],
    ['Opportunity', 'stage', ['amountWeightedConverted', 'lastStage', 'probability']],
    ['Contact', 'firstName', ['name']],
    ['Lead', 'lastName', ['name']],
    ['Contact', 'account', ['accountType']],
    ['Meeting', 'dateEnd', ['duration']],
    ['Task', 'status', ['dateCompleted']],
    ['Account', 'billingAddress', []],
  ])('also closes derived fields: %s %s closes %j', (entityType, field, others) => {
    const { read, edit } = closedFields(readerWithout(entityType, field), modelOf(entityType));
    expect([...read].toSorted()).toEqual([field, ...others].toSorted());
    expect([...edit]).toEqual([]);
  });

  it('also closes fields derived from one end of a range', () => {
    const model = modelOf('Account', {
      price: { type: 'rangeCurrency' },
      worth: { type: 'currencyConverted', amount: 'fromPrice' },
    });
    const { read } = closedFields(readerWithout('Account', 'price'), model);
    expect([...read]).toEqual(['price', 'worth']);
  });

  it('closes link columns that repeat it but not the link itself', () => {
    const actor = readerWithout('Contact', 'title');
    const model = modelOf('Contact');
    const open = model.attributes.filter((one) => mayReadAttribute(actor, model, one));
    const closed = model.attributes.filter((one) => !open.includes(one));
    expect(closed.map(({ name }) => name)).toEqual(['title', 'accountsColumns']);
  });
});
