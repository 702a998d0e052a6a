import { expect, it } from 'vitest';
import { Refusal } from '../domain/errors.ts';
import { readSearchParams } from './read-search-params.ts';

it('reads the same filter from a JSON body as from a query string', () => {
  const params = { q: 'acme', primaryFilter: '', boolFilterList: ['onlyMy'], maxSize: 5 };
  expect(readSearchParams(params)).toEqual({
    where: [],
    text: 'acme',
    primary: undefined,
    bools: ['onlyMy'],
  });
});

it.each([
  { boolFilterList: 'onlyMy' },
  { boolFilterList: [{ toString: 1 }] },
  { textFilter: { toString: 1 } },
  { where: [{ type: 'textFilter', value: { toString: 1 } }] },
])('rejects the invalid parameters %j', (params) => {
  expect(() => readSearchParams(params)).toThrow(Refusal);
});

it('reads how texts are compared', () => {
  const mode = (textFilterMode: unknown) => readSearchParams({ textFilterMode }).textMode;
  expect([mode(undefined), mode(''), mode('words'), mode('espo')]).toEqual([
    undefined,
    undefined,
    'words',
    'espo',
  ]);
  for (const wrong of ['fuzzy', 1, []]) {
    expect(() => mode(wrong)).toThrow(/^textFilterMode should be/);
  }
});
