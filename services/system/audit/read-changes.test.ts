import { expect, it } from 'vitest';
import { toParts } from './read-changes.ts';

it('returns only the differing parts of an object attribute', () => {
  const before = { hull: { type: 'varchar' }, mast: { type: 'int' } };
  const after = { hull: { type: 'text' }, mast: { type: 'int' }, sail: { type: 'bool' } };
  expect(toParts({ attribute: 'fields', before, after })).toEqual([
    { attribute: 'fields.hull', before: { type: 'varchar' }, after: { type: 'text' } },
    { attribute: 'fields.sail', before: null, after: { type: 'bool' } },
  ]);
  const gone = { attribute: 'fields', before: { hull: 1 }, after: null };
  expect(toParts(gone)).toEqual([{ attribute: 'fields.hull', before: 1, after: null }]);
});

it('returns other values unchanged', () => {
  for (const [before, after] of [
    [null, 'a'],
    [['a'], ['b']],
    [{ a: 1 }, 'a'],
  ] as const) {
    expect(toParts({ attribute: 'one', before, after })).toEqual([
      { attribute: 'one', before, after },
    ]);
  }
});
