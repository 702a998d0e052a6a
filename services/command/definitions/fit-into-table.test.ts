import { expect, it } from 'vitest';
import {
  createDirectory,
  entityDefinitionType,
} from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { type Definition, decideDefinition } from './define-entities.ts';

function definitions() {
  const directory = createDirectory(stockDefinitions);
  return {
    directory,
    removed: (entityType: string) =>
      Object.keys(directory.entity(entityType)?.definition.removedFields ?? {}),
    define(kind: Definition['kind'], entityType: string, body: Definition['body'] = {}): void {
      const state = directory.record(entityDefinitionType, entityType);
      const decision = decideDefinition(state, { kind, entityType, body }, directory);
      const place = { recordId: entityType, version: (state?.version ?? 0) + 1 };
      directory.apply({ ...aCreation(entityDefinitionType, {}, place), ...decision });
    },
  };
}

const full = { kind: 'conflict', code: 'entity.full' };

it('rejects a field if a row could exceed the maximum size in Postgres', () => {
  const { define } = definitions();
  define('createEntity', 'Wide', { type: 'Base' });
  const addAddresses = (): void => {
    for (let index = 0; index < 95; index += 1)
      define('createField', 'Wide', { name: `a${index}`, type: 'address' });
  };
  expect(addAddresses).toThrow(expect.objectContaining(full));
  expect(() => define('createField', 'Wide', { name: 'b', type: 'address' })).toThrow();
  // A change without a new column is still possible.
  define('updateField', 'Wide', { name: 'a1', label: 'First' });
  define('removeField', 'Wide', { name: 'a1' });
  expect(() => define('createField', 'Wide', { name: 'c', type: 'address' })).toThrow();
  define('createField', 'Wide', { name: 'a1', type: 'address' });
});

it('allows 300 custom text fields in a shipped entity type', () => {
  const { define } = definitions();
  for (let index = 0; index < 300; index += 1)
    define('createField', 'Contact', { name: `t${index}`, type: 'varchar' });
});

it('counts the columns of removed fields', () => {
  const { define, directory } = definitions();
  const flags = Array.from({ length: 1_180 }, (_, index) => [`f${index}`, { type: 'bool' }]);
  const removedFields = Object.fromEntries(flags);
  const values = { template: 'Base', fields: {}, links: {}, removedFields };
  directory.apply(aCreation(entityDefinitionType, values, { recordId: 'Churn' }));
  const churn = (): void => {
    for (let index = 0; index < 30; index += 1) {
      define('createField', 'Churn', { name: `more${index}`, type: 'bool' });
      define('removeField', 'Churn', { name: `more${index}` });
    }
  };
  expect(churn).toThrow(
    expect.objectContaining({ message: expect.stringContaining('1201 columns') }),
  );
});

it('counts the search columns of text fields that are no longer searched', () => {
  const { define, removed } = definitions();
  define('createEntity', 'Found', { type: 'Base' });
  define('createField', 'Found', { name: 'firstText', type: 'varchar' });
  define('updateEntity', 'Found', { textFilterFields: ['firstText'] });
  define('updateEntity', 'Found', { textFilterFields: ['name'] });
  expect(removed('Found')).toEqual(['firstText$folded']);
  define('removeEntity', 'Found');
  define('createEntity', 'Found', { type: 'Base', textFilterFields: ['description'] });
  expect(removed('Found')).toEqual(expect.arrayContaining(['firstText$folded', 'firstText']));
});
