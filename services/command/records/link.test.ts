import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../shared/domain/errors.ts';
import { readIdsToLink } from './link.ts';

describe('the ids to link in a request', () => {
  it.each([
    [{ id: 'a' }, ['a']],
    [{ ids: ['a', 'b', 'a'] }, ['a', 'b']],
    [{ id: 'a', ids: null }, ['a']],
    [{}, []],
    [{ id: null }, []],
    [{ ids: null }, []],
    [{ ids: [] }, []],
  ])('are read from %j as %j', (body, ids) => {
    expect(readIdsToLink(body)).toEqual(ids);
  });

  it.each([{ ids: 'a' }, { ids: [null] }, { id: '' }, { id: 7 }, { id: ['a'] }])(
    'are rejected if malformed: %j',
    (body) => {
      expect(() => readIdsToLink(body)).toThrow(Refusal);
    },
  );
});
