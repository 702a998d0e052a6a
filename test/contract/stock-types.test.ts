import { describe, expect, it } from 'vitest';
import { orderOf } from '../../services/query/lists/order-plan.ts';
import { createMetadata } from '../../services/query/metadata/metadata.ts';
import { buildActor } from '../../shared/domain/access/actor.ts';
import { createDirectory } from '../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import { fieldTypeOf, linkedTypesOf } from '../../shared/domain/field/field-types.ts';
import { viewFor } from '../../shared/search/record-view.ts';
import { compareStockTypes, type EntityDefs } from '../compat/stock-types/compare-stock-types.ts';
import { exceptions } from '../compat/stock-types/exceptions.ts';
import { readStockTypes } from '../compat/stock-types/read-stock-types.ts';
import { unexplainedDifferences } from '../compat/stock-types/unexplained-differences.ts';

const admin = buildActor({ id: 'a', name: 'a', userName: 'a', type: 'admin', teamIds: [] }, []);
const directory = createDirectory(stockDefinitions);
const metadata = createMetadata(directory)(admin);
const entityDefs = metadata['entityDefs'] as EntityDefs;
const expected = readStockTypes();

it('describes stock types as EspoCRM clients expect, except for documented differences', () => {
  expect(unexplainedDifferences(entityDefs)).toEqual([]);
  const names = exceptions.flatMap((one) => one.names);
  expect(names).toEqual([...new Set(names)]);
});

it('sorts lists by every sortable field', () => {
  const sorts = expected.flatMap(({ kind, entityType, name }) => {
    const model = directory.entity(entityType);
    const field = kind === 'field' ? model?.fields.get(name) : undefined;
    if (model === undefined || field === undefined || field.notStored === true) return [];
    const isKnown = linkedTypesOf(field).every((type) => directory.entity(type) !== undefined);
    const { isUnordered, sortedBy } = fieldTypeOf(field);
    return isKnown && (isUnordered !== true || sortedBy !== undefined) ? [{ model, name }] : [];
  });
  const findModel = directory.entity;
  const attributes = sorts.map(({ model, name: orderBy }) => {
    const view = viewFor(admin, model, findModel);
    const request = { orderBy, direction: 'asc' } as const;
    return orderOf({ actor: admin, model, view, findModel, request }).attributes.length;
  });
  expect(attributes.length).toBeGreaterThan(200);
  expect(attributes).not.toContain(0);
});

describe('the comparison of stock types', () => {
  const compared = new Set(expected.map(({ entityType }) => entityType));
  const known = Object.keys(entityDefs).filter((name) => compared.has(name));

  it('covers all entity types in Annals', () => {
    expect(known.length).toBeGreaterThanOrEqual(17);
    expect(compareStockTypes({}, expected)).toEqual([]);
  });

  it.each([
    ['fields', 'industry', 'options', [''], 'Account.industry options'],
    ['fields', 'sicCode', 'maxLength', 39, 'Account.sicCode maxLength'],
    ['fields', 'contactIsInactive', 'default', true, 'Account.contactIsInactive default'],
    ['fields', 'name', 'required', false, 'Account.name required'],
    ['fields', 'createdAt', 'readOnly', false, 'Account.createdAt readOnly'],
    ['fields', 'billingAddressCity', 'type', 'text', 'Account.billingAddressCity type'],
    ['fields', 'targetList', 'entity', 'Lead', 'Account.targetList target'],
    ['links', 'contacts', 'type', 'hasOne', 'Account.contacts type'],
    ['links', 'contacts', 'foreign', 'account', 'Account.contacts foreign'],
    ['links', 'contacts', 'entity', 'Lead', 'Account.contacts entity'],
  ] as const)('reports a different value of %s.%s.%s', (kind, part, aspect, value, name) => {
    const account = entityDefs['Account'];
    const parts = account?.[kind] ?? {};
    const changed = { ...parts, [part]: { ...parts[part], [aspect]: value } };
    const Account = { fields: {}, links: {}, ...account, [kind]: changed };
    const found = compareStockTypes({ Account }, expected).map((one) => one.name);
    const before = compareStockTypes({ Account: entityDefs['Account'] ?? Account }, expected);
    expect(found).toEqual(expect.arrayContaining([name]));
    expect(found).toHaveLength(before.length + 1);
  });

  it('reports missing fields and links', () => {
    const bare = { Account: { fields: {}, links: {} } };
    const wanted = expected.filter(({ entityType }) => entityType === 'Account');
    expect(compareStockTypes(bare, expected)).toHaveLength(wanted.length);
  });
});
