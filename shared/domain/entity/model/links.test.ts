import { expect, it } from 'vitest';
import { createDirectory } from '../../directory/directory.ts';
import { stockDefinitions } from '../stock/stock-definitions.ts';
import { linksOf } from './links.ts';

const directory = createDirectory(stockDefinitions);

function linkOf(entityType: string, name: string) {
  const model = directory.entity(entityType);
  return model && linksOf(model, directory.entity).get(name);
}

it.each([
  ['Contact', 'account', 'belongsTo', 'Account', 'contactsPrimary'],
  ['Account', 'contactsPrimary', 'hasMany', 'Contact', 'account'],
  ['Contact', 'accounts', 'hasMany', 'Account', 'contacts'],
  ['Account', 'contacts', 'hasMany', 'Contact', 'accounts'],
  ['Task', 'parent', 'belongsToParent', undefined, undefined],
  ['Account', 'tasks', 'hasChildren', 'Task', 'parent'],
  ['Account', 'originalLead', 'hasOne', 'Lead', 'createdAccount'],
  ['Lead', 'createdAccount', 'belongsTo', 'Account', 'originalLead'],
  ['Lead', 'createdOpportunity', 'belongsTo', 'Opportunity', 'originalLead'],
  ['Team', 'users', 'hasMany', 'User', 'teams'],
] as const)('resolves %s.%s as %s to %s.%s', (holder, name, type, entityType, foreign) => {
  expect(linkOf(holder, name)).toMatchObject({ name, type, entityType, foreign });
});

it('returns the columns of a link on both sides', () => {
  expect(linkOf('Contact', 'accounts')?.columns).toHaveProperty('role');
  expect(linkOf('Account', 'contacts')?.columns).toHaveProperty('isInactive');
  expect(linkOf('Account', 'cases')).not.toHaveProperty('columns');
});

it('resolves the other side of every link', () => {
  for (const model of directory.entities()) {
    for (const { name, entityType, foreign } of linksOf(model, directory.entity).values()) {
      if (entityType === undefined || foreign === undefined) continue;
      const back = linkOf(entityType, foreign);
      const isBack = back?.entityType === model.name || back?.type === 'belongsToParent';
      expect(isBack, `${model.name}.${name}`).toBe(true);
    }
  }
});
