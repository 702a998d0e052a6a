import { expect, it } from 'vitest';
import {
  createDirectory,
  entityDefinitionType,
} from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { customEntityName, customFieldName } from './custom-prefix.ts';

const directory = createDirectory(stockDefinitions);
const project = { template: 'Base', fields: {} };
directory.apply(aCreation(entityDefinitionType, project, { recordId: 'Project' }));

it.each([
  ['taken', 'Account', 'CAccount'],
  ['taken', 'Metadata', 'CMetadata'],
  ['taken', 'Site', 'Site'],
  // It is in use, which is refused.
  ['taken', 'Project', 'Project'],
  ['always', 'Site', 'CSite'],
  ['always', 'Cargo', 'CCargo'],
  ['always', '', ''],
  ['never', 'Account', 'Account'],
] as const)('with %s a type %s is %s', (customPrefix, asked, name) => {
  expect(customEntityName(asked, { customPrefix, directory })).toBe(name);
});

it.each([
  ['taken', 'Account', 'score', 'score'],
  ['always', 'Account', 'score', 'cScore'],
  ['always', 'Account', '', ''],
  ['always', 'Project', 'score', 'score'],
  ['never', 'Account', 'score', 'score'],
] as const)('with %s a field %s.%s is %s', (customPrefix, scope, asked, name) => {
  expect(customFieldName(asked, scope, { customPrefix, directory })).toBe(name);
});
