import { expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { preferencesType } from '../../../shared/domain/preferences/preferences.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { readLanguage } from './read-language.ts';

const directory = createDirectory(stockDefinitions);
directory.apply(aCreation(preferencesType, { language: 'de_DE' }, { recordId: 'german' }));

it.each([
  ['de', undefined, 'de'],
  ['de-AT,en;q=0.5', undefined, 'de'],
  ['en;q=0.5, de;q=0.9', undefined, 'de'],
  ['fr, en-GB;q=0.8, de;q=0.7', undefined, 'en'],
  ['de;q=0, en', undefined, 'en'],
  ['fr', 'german', 'de'],
  ['en', 'german', 'en'],
  ['*', 'german', 'de'],
  [undefined, 'german', 'de'],
  [undefined, 'someone', 'en'],
  [undefined, undefined, 'en'],
  ['constructor, __proto__;q=x', undefined, 'en'],
])(
  'with Accept-Language %s and the preferences of %s, labels are in %s',
  (header, userId, language) => {
    expect(readLanguage(header, { directory, userId })).toBe(language);
  },
);
