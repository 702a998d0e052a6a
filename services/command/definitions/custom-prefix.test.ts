import { expect, it } from 'vitest';
import {
  type CustomPrefix,
  customPrefixId,
} from '../../../shared/domain/directory/custom-prefix.ts';
import {
  createDirectory,
  entityDefinitionType,
  settingType,
} from '../../../shared/domain/directory/directory.ts';
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
  // Keeps a custom name that is already in use. It is rejected later.
  ['taken', 'Project', 'Project'],
  ['always', 'Site', 'CSite'],
  ['always', 'Cargo', 'CCargo'],
  ['always', '', ''],
  ['never', 'Account', 'Account'],
] as const)(
  'with the setting %s, a type requested as %s is named %s',
  (customPrefix, requested, name) => {
    expect(customEntityName(requested, directoryWith(customPrefix))).toBe(name);
  },
);

it.each([
  [undefined, 'Account', 'score', 'score'],
  ['taken', 'Account', 'score', 'score'],
  ['always', 'Account', 'score', 'cScore'],
  ['always', 'Account', '', ''],
  ['always', 'Project', 'score', 'score'],
  ['never', 'Account', 'score', 'score'],
] as const)(
  'with the setting %s, a field requested as %s.%s is named %s',
  (customPrefix, scope, requested, name) => {
    expect(customFieldName(requested, scope, directoryWith(customPrefix))).toBe(name);
  },
);
