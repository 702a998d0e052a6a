import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../shared/domain/errors.ts';
import { parseQuery } from '../../../shared/http/server/build-server.ts';
import { readListRequest } from './read-list-request.ts';

const read = (query: Readonly<Record<string, unknown>>) => readListRequest(query, undefined);

describe('a list request', () => {
  it('is the first page of 200 records with a total if the query is empty', () => {
    expect(read({})).toEqual({
      offset: 0,
      maxSize: 200,
      orderBy: undefined,
      direction: undefined,
      select: undefined,
      withTotal: true,
    });
  });

  it('combines all filters and prefers the newer form of where', () => {
    const query =
      'where[0][type]=isNull&where[0][attribute]=old&whereGroup[0][type]=isNull&' +
      'whereGroup[0][attribute]=name&textFilter=a&primaryFilter=open&boolFilterList[]=onlyMy';
    const item = { type: 'isNull', attribute: 'name', value: undefined };
    const where = [{ ...item, clock: undefined }];
    const filter = { where, text: 'a', primary: 'open', bools: ['onlyMy'] };
    expect(read(parseQuery(query)).filter).toEqual(filter);
    const json = {
      where: [item],
      textFilter: 'a',
      primaryFilter: 'open',
      boolFilterList: ['onlyMy'],
    };
    expect(read({ searchParams: JSON.stringify(json), where: 'x' }).filter).toEqual(filter);
    expect(read({ where: 'nonsense', whereGroup: '' }).filter).toBeUndefined();
  });

  it('reads every parameter and prefers the newer names', () => {
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
    [parseQuery('select[]=a&select[]=b'), ['a', 'b']],
    [parseQuery('select%5B0%5D=a&select[1]=b'), ['a', 'b']],
    [{ searchParams: '{"select":["a","b"]}' }, ['a', 'b']],
    [{ select: '' }, undefined],
  ])('reads the selection in %j', (query, select) => {
    expect(read(query).select).toEqual(select);
  });

  it('uses the other parameters if searchParams is empty', () => {
    expect(read({ searchParams: '{}', maxSize: '5' })).toMatchObject({ maxSize: 5 });
    expect(read({ searchParams: '{"maxSize":7}', maxSize: '5' })).toMatchObject({ maxSize: 7 });
  });

  it('treats null in searchParams as absent', () => {
    const names = ['select', 'orderBy', 'order', 'offset', 'maxSize', 'where', 'textFilter', 'q'];
    const others = ['primaryFilter', 'boolFilterList', 'maxTextAttributeLength'];
    const nothing = Object.fromEntries([...names, ...others].map((name) => [name, null]));
    expect(read({ searchParams: JSON.stringify(nothing) })).toEqual(read({}));
    const item = { type: 'today', attribute: 'createdAt', dateTime: true };
    const withZone = (timeZone: string | null) =>
      read({ searchParams: JSON.stringify({ where: [{ ...item, timeZone }] }) }).filter;
    expect(withZone(null)).toEqual(withZone(''));
  });

  it.each([
    [{ maxTextAttributeLength: '5' }, 5],
    [{ maxTextAttributeLength: '0' }, 0],
    [{ maxTextAttributeLength: '9007199254740991' }, 2_147_483_647],
    [{ maxTextAttributeLength: '' }, undefined],
    [{ searchParams: '{"maxTextAttributeLength":7}', maxTextAttributeLength: '5' }, 7],
    [{ searchParams: '{"maxTextAttributeLength":null}' }, undefined],
  ])('reads the maximum text length from %j', (query, length) => {
    expect(read(query).maxTextLength).toBe(length);
  });

  it('uses the last value of a repeated parameter and ignores an empty one', () => {
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
    [parseQuery('where[0][attribute]=name'), 'invalid'],
    [{ searchParams: '{' }, 'invalid'],
    [{ searchParams: '{"select":1}' }, 'invalid'],
    [{ searchParams: `{"orderBy":${'['.repeat(7_000)}${']'.repeat(7_000)}}` }, 'invalid'],
    [{ searchParams: '{"boolFilterList":[[["onlyMy"]]]}' }, 'invalid'],
    [{ maxTextAttributeLength: '-1' }, 'invalid'],
    [{ maxTextAttributeLength: 'ten' }, 'invalid'],
    [{ maxTextAttributeLength: '9007199254740993' }, 'invalid'],
    [{ searchParams: '{"maxTextAttributeLength":"5"}' }, 'invalid'],
    [{ searchParams: '{"maxTextAttributeLength":1.5}' }, 'invalid'],
    [{ searchParams: '{"maxTextAttributeLength":-1}' }, 'invalid'],
    [{ asOf: '2030-01-01 00:00:00' }, 'invalid'],
  ])('is rejected with %j', (query, kind) => {
    expect(() => read(query)).toThrow(Refusal);
    expect(() => read(query)).toThrow(expect.objectContaining({ kind }));
  });
});
