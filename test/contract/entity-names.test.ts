import { expect, it } from 'vitest';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import { findSources, readProjectFile } from './source-files.ts';

/** Features of one entity type; in `plan-upload.ts` the name is that of a role of files. */
const allowed = [
  'services/command/conversion/convert-lead.ts',
  'services/command/conversion/link-converted.ts',
  'services/command/files/plan-upload.ts',
  'services/command/webhooks/webhook-record-routes.ts',
  'shared/search/where/user-conditions.ts',
];

it('no code compares with the name of a shipped entity type: its definition says what is special', () => {
  const names = stockDefinitions.map(({ name }) => name).join('|');
  const comparison = new RegExp(`(?:[!=]==|case) '(?:${names})'`);
  // The console knows the public API alone.
  const found = findSources('services', 'shared')
    .filter((name) => !name.startsWith('services/console/'))
    .filter((name) => comparison.test(readProjectFile(name)));
  expect(found.toSorted()).toEqual(allowed);
});
