import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../shared/domain/errors.ts';
import { readListRequest } from './read-list-request.ts';

const read = (query: Readonly<Record<string, unknown>>) => readListRequest(query, undefined);

describe('a list request', () => {
  it('without parameters is the first page of 200 with a total', () => {
    expect(read({})).toEqual({
      offset: 0,
      maxSize: 200,
      orderBy: undefined,
      direction: undefined,
      select: undefined,
      withTotal: true,
    });
  });

  it('reads every parameter, the newer names first', () => {
    const query = {
      offset: '40',
      maxSize: '20',
      orderBy: 'name',
      sortBy: 'id',
      order: 'desc',
      asc: 'true',
      attributeSelect: 'id, name',
      select: 'website',
    };
    expect(readListRequest(query, 'True')).toEqual({
      offset: 40,
      maxSize: 20,
      orderBy: 'name',
      direction: 'desc',
      select: ['id', 'name'],
      withTotal: false,
    });
    expect(read({ sortBy: 'id', asc: 'True' })).toMatchObject({ orderBy: 'id', direction: 'asc' });
    expect(read({ asc: '0' })).toMatchObject({ direction: 'desc' });
  });

  it.each([
    [{ select: 'a,b' }, ['a', 'b']],
    [{ select: ['a', 'b,c'] }, ['a', 'b', 'c']],
    [{ 'select[]': ['a', 'b'] }, ['a', 'b']],
    [{ 'select[0]': 'a', 'select[1]': 'b' }, ['a', 'b']],
    [{ select: '' }, undefined],
  ])('reads the select of %j', (query, select) => {
    expect(read(query).select).toEqual(select);
  });

  it('takes the last of a parameter that is given twice, and none for an empty one', () => {
    expect(read({ maxSize: ['5', '7'], order: '', offset: '', where: '' })).toMatchObject({
      maxSize: 7,
      offset: 0,
    });
  });

  it.each([
    [{ maxSize: '-1' }, 'invalid'],
    [{ maxSize: '1.5' }, 'invalid'],
    [{ maxSize: '200 ' }, 'invalid'],
    [{ maxSize: '201' }, 'forbidden'],
    [{ maxSize: '99999999999999999999' }, 'invalid'],
    [{ offset: '0x1' }, 'invalid'],
    [{ order: 'constructor' }, 'invalid'],
    [{ asc: '__proto__' }, 'invalid'],
    [{ 'where[0][type]': 'equals' }, 'invalid'],
    [{ searchParams: '{}' }, 'invalid'],
    [{ asOf: '2030-01-01 00:00:00' }, 'invalid'],
  ])('of %j is refused', (query, kind) => {
    expect(() => read(query)).toThrow(Refusal);
    expect(() => read(query)).toThrow(expect.objectContaining({ kind }));
  });
});
