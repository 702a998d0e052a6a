import { describe, expect, it } from 'vitest';
import type { ListSearch } from '../../../api/records.ts';
import {
  allResults,
  chosenOf,
  countOf,
  emptySelection,
  isSelected,
  maxListedIds,
  withRecords,
} from './selection.ts';

const search: ListSearch = {
  entity: 'Contact',
  select: ['name'],
  orderBy: 'name',
  order: 'asc',
  textFilter: 'ann',
  where: [{ type: 'isTrue', attribute: 'doNotCall' }],
};

describe('a selection of rows', () => {
  it('contains the selected rows until they are deselected', () => {
    const both = withRecords(emptySelection, ['a', 'b'], true) ?? emptySelection;
    const one = withRecords(both, ['a'], false) ?? emptySelection;
    expect([isSelected(both, 'a'), isSelected(one, 'a'), isSelected(one, 'b')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(countOf(both, 100)).toBe(2);
    expect(chosenOf(one, search)).toEqual({ ids: ['b'] });
  });
});

describe('a selection of all results', () => {
  it('is represented by the search itself', () => {
    expect(chosenOf(allResults, search)).toEqual({
      searchParams: { where: search.where, textFilter: 'ann' },
    });
    expect(countOf(allResults, 100)).toBe(100);
  });

  it('excludes deselected rows with a condition', () => {
    const others = withRecords(allResults, ['a', 'b'], false) ?? emptySelection;
    expect([isSelected(others, 'a'), isSelected(others, 'c'), countOf(others, 100)]).toEqual([
      false,
      true,
      98,
    ]);
    expect(chosenOf(others, search)).toEqual({
      searchParams: {
        where: [...search.where, { type: 'notIn', attribute: 'id', value: ['a', 'b'] }],
        textFilter: 'ann',
      },
    });
    const again = withRecords(others, ['a', 'b'], true) ?? emptySelection;
    expect(chosenOf(again, search)).toEqual(chosenOf(allResults, search));
  });

  it('excludes at most as many rows as a condition can list', () => {
    const ids = Array.from({ length: maxListedIds }, (_, index) => `id${index}`);
    const full = withRecords(allResults, ids, false);
    expect(full && countOf(full, 5_000)).toBe(4_000);
    expect(full && withRecords(full, ['one-more'], false)).toBeUndefined();
  });
});
