import { expect, it } from 'vitest';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import { findSources, readProjectFile } from './source-files.ts';

/** Features of a single entity type. In `plan-upload.ts` the name is a role of files. */
const allowed = [
  'services/command/conversion/convert-lead.ts',
  'services/command/conversion/link-converted.ts',
  'services/command/files/plan-upload.ts',
  'services/command/webhooks/webhook-routes.ts',
  'shared/search/where/user-conditions.ts',
];

it('finds no comparison with the name of a shipped entity type', () => {
  const names = stockDefinitions.map(({ name }) => name).join('|');
  const comparison = new RegExp(`(?:[!=]==|case) '(?:${names})'`);
  // The console uses only the public API.
  const found = findSources('services', 'shared')
    .filter((name) => !name.startsWith('services/console/'))
    .filter((name) => comparison.test(readProjectFile(name)));
  expect(found.toSorted()).toEqual(allowed);
});
