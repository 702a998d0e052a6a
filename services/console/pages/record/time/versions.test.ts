import { describe, expect, it } from 'vitest';
import { differences, valuesAt } from './versions.ts';

const by = { at: '2030-01-01 00:00:00', byId: null, byName: null };
const versions = [
  {
    ...by,
    version: 1,
    type: 'created' as const,
    changes: [
      { attribute: 'name', before: null, after: 'Acme' },
      { attribute: 'type', before: null, after: 'Customer' },
    ],
  },
  {
    ...by,
    version: 2,
    type: 'updated' as const,
    changes: [{ attribute: 'name', before: 'Acme', after: 'Acme Ltd' }],
  },
  {
    ...by,
    version: 3,
    type: 'updated' as const,
    changes: [{ attribute: 'type', before: 'Customer', after: null }],
  },
];

describe('valuesAt', () => {
  it('applies all changes up to a version', () => {
    expect(valuesAt(versions, 1)).toEqual({ name: 'Acme', type: 'Customer' });
    expect(valuesAt(versions, 2)).toEqual({ name: 'Acme Ltd', type: 'Customer' });
    expect(valuesAt(versions, 3)).toEqual({ name: 'Acme Ltd', type: null });
  });
});

describe('differences', () => {
  it('returns exactly the attributes that differ between two versions', () => {
    expect(differences(valuesAt(versions, 1), valuesAt(versions, 3))).toEqual([
      { attribute: 'name', before: 'Acme', after: 'Acme Ltd' },
      { attribute: 'type', before: 'Customer', after: null },
    ]);
    expect(differences(valuesAt(versions, 2), valuesAt(versions, 2))).toEqual([]);
  });

  it('compares lists by content and treats absent values as null', () => {
    expect(differences({ a: ['x'], b: null }, { a: ['x'] })).toEqual([]);
  });
});
