import { expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import {
  aCreation,
  aDeletionAfter,
  anUpdateAfter,
} from '../../../test/support/builders/record-event-builder.ts';
import { accessTo, decideGrant, grantsIn } from './grant-access.ts';

const directory = createDirectory(stockDefinitions);
const sales = aCreation('Role', { data: { Account: { read: 'own' } } }, { recordId: 'sales' });
const gone = aCreation('Role', {}, { recordId: 'gone' });
for (const event of [sales, gone, aDeletionAfter(gone)]) directory.apply(event);

it('reads the grants for an entity type that does not exist yet', () => {
  const levels = { create: 'no', read: 'team' };
  expect([...grantsIn({ sales: levels }, 'Ship', directory)]).toEqual([
    ['sales', { scope: 'Ship', levels }],
  ]);
  for (const empty of [undefined, null, {}]) {
    expect(grantsIn(empty, 'Ship', directory).size).toBe(0);
  }
});

it.each<[unknown, string]>([
  ['all', "'access' must be an object"],
  [['sales'], "'access' must be an object"],
  [{ unknown: {} }, "'access.unknown' is not the id of a role"],
  [{ gone: {} }, "'access.gone' is not the id of a role"],
  [{ sales: 'all' }, "'access.sales' must be an object"],
  [{ sales: null }, "'access.sales' must be an object"],
  [{ sales: { read: 'much' } }, 'Level of *Ship*, *read* is not allowed'],
  [{ sales: { fly: 'all' } }, 'Action *fly* of *Ship* is not allowed'],
  [{ sales: { read: 'own', edit: 'all' } }, '*edit* exceeds *own* of *read*'],
])('rejects the invalid access %j', (access, sentence) => {
  expect(() => grantsIn(access, 'Ship', directory)).toThrow(sentence);
});

it('adds the scope to the role once, even if the command is repeated', () => {
  const changed = createDirectory(stockDefinitions);
  changed.apply(sales);
  const data = { Account: { read: 'all' }, Lead: { read: 'own' } };
  const others = anUpdateAfter(
    sales,
    {},
    {
      changes: [{ attribute: 'data', before: { Account: { read: 'own' } }, after: data }],
    },
  );
  changed.apply(others);
  const grant = { id: 'sales', body: { scope: 'Ship', levels: { read: 'all' } } };
  const decision = decideGrant(changed.record('Role', 'sales'), grant);
  const after = { ...data, Ship: { read: 'all' } };
  expect(decision?.changes).toMatchObject([{ attribute: 'data', after }]);
  changed.apply({ ...anUpdateAfter(others, {}), ...decision });
  expect(decideGrant(changed.record('Role', 'sales'), grant)).toBeUndefined();
  expect(accessTo('Ship', changed)).toEqual({ sales: { read: 'all' } });
});

it('rejects a deleted role', () => {
  const grant = { id: 'gone', body: { scope: 'Ship', levels: {} } };
  expect(() => decideGrant(directory.record('Role', 'gone'), grant)).toThrow('not found');
});
