import { expect, it } from 'vitest';
import {
  type CustomPrefix,
  customPrefixId,
} from '../../../shared/domain/directory/custom-prefix.ts';
import {
  createDirectory,
  entityDefinitionType,
} from '../../../shared/domain/directory/directory.ts';
import { settingType } from '../../../shared/domain/directory/setting-type.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { customEntityName, customFieldName } from './custom-prefix.ts';

function directoryWith(choice: CustomPrefix | undefined) {
  const directory = createDirectory(stockDefinitions);
  const project = { template: 'Base', fields: {} };
  directory.apply(aCreation(entityDefinitionType, project, { recordId: 'Project' }));
  if (choice === undefined) return directory;
  directory.apply(aCreation(settingType, { choice }, { recordId: customPrefixId }));
  return directory;
}

it.each([
  [undefined, 'Account', 'CAccount'],
  [undefined, 'Site', 'Site'],
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
  expect(customEntityName(asked, { directory: directoryWith(customPrefix) })).toBe(name);
});

it.each([
  [undefined, 'Account', 'score', 'score'],
  ['taken', 'Account', 'score', 'score'],
  ['always', 'Account', 'score', 'cScore'],
  ['always', 'Account', '', ''],
  ['always', 'Project', 'score', 'score'],
  ['never', 'Account', 'score', 'score'],
] as const)('with %s a field %s.%s is %s', (customPrefix, scope, asked, name) => {
  expect(customFieldName(asked, scope, { directory: directoryWith(customPrefix) })).toBe(name);
});
