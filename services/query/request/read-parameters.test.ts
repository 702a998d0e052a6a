import { expect, it } from 'vitest';
import { readNames, readParameters } from './read-parameters.ts';

it.each([
  [{ types: 'Meeting,Call' }, ['Meeting', 'Call']],
  [{ types: ['Meeting', 'Call'] }, ['Meeting', 'Call']],
  [{ types: { 0: 'Meeting', 1: ' Call ,Meeting,' } }, ['Meeting', 'Call']],
  [{ types: ' , ' }, undefined],
  [{ types: '' }, undefined],
  [{}, undefined],
])('reads the names in %j as %j', (query, names) => {
  expect(readNames(readParameters(query), 'types')).toEqual(names);
});
