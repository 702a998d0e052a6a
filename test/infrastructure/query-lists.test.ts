import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type QueryExample, startQueryExample } from './query-example.ts';
import { storeExampleRecords } from './query-example-records.ts';

let example: QueryExample;
const get: QueryExample['get'] = async (...question) => example.get(...question);
const ids = (answer: { readonly body: { readonly list: readonly { id: string }[] } }) =>
  answer.body.list.map(({ id }) => id).join(' ');

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  await storeExampleRecords(example);
});
afterAll(async () => example.close());

describe('a list', () => {
  it('returns scalar attributes and link names, newest first, with the total', async () => {
    const { body } = await get('/Account');
    expect(body.total).toBe(3);
    expect(body.list.map(({ id }: { id: string }) => id)).toEqual(['a3', 'a2', 'a1']);
    const [, second] = body.list;
    expect(Object.keys(second).slice(0, 4)).toEqual(['id', 'name', 'deleted', 'website']);
    expect(second).toMatchObject({ assignedUserId: 'u1', assignedUserName: 'Ann', sicCode: null });
    for (const key of [
      'emailAddressData',
      'teamsIds',
      'teamsNames',
      'isFollowed',
      'versionNumber',
    ]) {
      expect(second).not.toHaveProperty(key);
    }
    expect(JSON.stringify(body)).not.toContain('$');
    expect((await get('/Contact')).body.list[2]).toMatchObject({
      accountName: 'Acme',
      accountType: 'Partner',
    });
  });

  it.each([
    ['', 'a3 a2 a1'],
    ['?order=asc', 'a1 a2 a3'],
    ['?orderBy=name', 'a1 a3 a2'],
    ['?orderBy=name&order=desc', 'a2 a3 a1'],
    ['?sortBy=name&asc=false', 'a2 a3 a1'],
    ['?orderBy=name&sortBy=id&order=asc&asc=false', 'a1 a3 a2'],
    ['?orderBy=type', 'a3 a2 a1'],
    ['?orderBy=type&order=desc', 'a1 a2 a3'],
    ['?orderBy=assignedUser', 'a3 a2 a1'],
    ['?orderBy=assignedUserName&order=desc', 'a1 a2 a3'],
    ['?orderBy=billingAddress', 'a2 a3 a1'],
    ['?orderBy=emailAddressIsInvalid', 'a1 a2 a3'],
    ['?orderBy=id&order=DESC', 'a3 a2 a1'],
    ['?orderBy=&order=&maxSize=&offset=', 'a3 a2 a1'],
    ['?maxSize=1&maxSize=2&unknown=1', 'a3 a2'],
    ['?offset=1&maxSize=1', 'a2'],
    ['?offset=3', ''],
    ['?offset=9007199254740991', ''],
    ['?maxSize=0', ''],
  ])('resolves the query %s to the records %s', async (query, expected) => {
    const answer = await get(`/Account${query}`);
    expect(ids(answer)).toBe(expected);
    expect(answer.body.total).toBe(3);
  });

  it('can be sorted by number or by the linked record', async () => {
    expect(ids(await get('/Case'))).toBe('case3 case2 case1');
    expect(ids(await get('/Contact?orderBy=account'))).toBe('c3 c1 c2');
    expect(ids(await get('/Contact?orderBy=accountType&order=desc'))).toBe('c1 c2 c3');
  });

  it.each([
    ['?maxSize=2', -1],
    ['?maxSize=3', -2],
    ['?maxSize=0', -1],
    ['?offset=3', -2],
    ['?offset=2&maxSize=1', -2],
  ])('indicates whether more records follow if the total is omitted: %s', async (query, total) => {
    expect((await get(`/Account${query}`, { 'x-no-total': 'true' })).body.total).toBe(total);
  });

  it('truncates only long texts on request', async () => {
    const first = async (query: string) => (await get(`/Account?orderBy=id&${query}`)).body.list[0];
    expect((await first('select=description')).description).toHaveLength(10_000);
    expect((await first('')).description).toHaveLength(10_001);
    const cut = 'maxTextAttributeLength=3';
    expect(await first(cut)).toMatchObject({
      name: 'Acme',
      description: expect.stringMatching(/^.{3}$/),
    });
    expect((await first(`${cut}&select=description`)).description).toHaveLength(3);
    expect((await first(`${cut}&textFilter=Acme`)).description).toHaveLength(3);
    const long = 'select=description&maxTextAttributeLength=2147483648';
    expect((await first(long)).description).toHaveLength(10_001);
    const params = encodeURIComponent('{"orderBy":"id","maxTextAttributeLength":4}');
    expect((await get(`/Account?searchParams=${params}`)).body.list[0].description).toHaveLength(4);
    expect((await get('/Account/a1?maxTextAttributeLength=3')).body.description).toHaveLength(
      10_001,
    );
    expect((await get('/Account?maxTextAttributeLength=x')).status).toBe(400);
  });

  it('returns the selected attributes plus id and owners and ignores unknown names', async () => {
    const select = async (query: string) =>
      (await get(`/Account?orderBy=id&${query}`)).body.list[0];
    const always = { id: 'a1', createdById: 'u1', assignedUserId: 'u2' };
    expect(await select('select=name,nonsense,passwordHash')).toEqual({ ...always, name: 'Acme' });
    expect(await select('select[]=website&select[]=name')).toEqual({
      ...always,
      name: 'Acme',
      website: 'https://acme.example',
    });
    expect(await select('attributeSelect=teamsNames,versionNumber,deleted&select=name')).toEqual({
      ...always,
      deleted: false,
      teamsIds: ['t1', 't9'],
      teamsNames: { t1: 'Sales', t9: null },
      versionNumber: 7,
    });
    expect(await select('select=nothing')).toEqual(always);
    const nobody = { createdById: null, assignedUserId: null };
    expect((await get('/Contact?select=accountsNames,accountName&orderBy=id')).body.list).toEqual([
      {
        ...nobody,
        id: 'c1',
        accountId: 'a1',
        accountName: 'Acme',
        accountsIds: ['a1', 'a2'],
        accountsNames: { a1: 'Acme', a2: 'Zeta' },
      },
      {
        ...nobody,
        id: 'c2',
        accountId: 'a2',
        accountName: 'Zeta',
        accountsIds: [],
        accountsNames: {},
      },
      {
        ...nobody,
        id: 'c3',
        accountId: 'nowhere',
        accountName: null,
        accountsIds: [],
        accountsNames: {},
      },
    ]);
  });

  it.each([
    ['/Account?select=name&orderBy=modifiedAt', 'modifiedAt', '2030-01-02 11:00:00'],
    [
      '/Account?select=name&orderBy=modifiedAt&textFilter=acme',
      'modifiedAt',
      '2030-01-02 11:00:00',
    ],
    ['/Account?select=name&offset=1&maxSize=1', 'createdAt', '2030-01-01 10:00:00'],
    ['/Case?select=name', 'number', 3],
    ['/Contact?select=name&orderBy=account&order=desc', 'accountName', 'Zeta'],
    ['/Account/a2/contacts?select=name&orderBy=lastName', 'lastName', 'L'],
  ])(
    'returns the attributes of its order regardless of the selection: %s',
    async (path, name, value) => {
      const [first] = (await get(path)).body.list;
      expect(first).toMatchObject({ name: expect.any(String), [name]: value });
      expect(first).toHaveProperty('createdById');
    },
  );

  it('hides closed owners and does not sort by closed attributes', async () => {
    const closed = { read: 'no' };
    const fields = { assignedUser: closed, createdBy: closed, createdAt: closed };
    example.addActorWithRole('closed', { Account: { read: 'all' } }, { Account: fields });
    const { body } = await get('/Account?select=name', { 'x-actor': 'closed' });
    expect(body.list[2]).toEqual({ id: 'a1', name: 'Acme' });
  });

  it.each([
    ['?maxSize=201', 403, 'Max size should not exceed 200. Use offset and limit.'],
    ['?maxSize=-1', 400, "maxSize must be a non-negative integer, not '-1'."],
    ['?maxSize=1e2', 400, "maxSize must be a non-negative integer, not '1e2'."],
    ['?offset=-5', 400, "offset must be a non-negative integer, not '-5'."],
    [
      '?offset=99999999999999999999',
      400,
      "offset must be a non-negative integer, not '99999999999999999999'.",
    ],
    ['?orderBy=nonsense', 400, "Not existing or not sortable attribute 'nonsense' in orderBy."],
    ['?orderBy=__proto__', 400, "Not existing or not sortable attribute '__proto__' in orderBy."],
    ['?orderBy=teams', 400, "Not existing or not sortable attribute 'teams' in orderBy."],
    [
      '?orderBy=contactRole',
      400,
      "Not existing or not sortable attribute 'contactRole' in orderBy.",
    ],
    ['?order=up', 400, "order must be one of asc, desc, not 'up'."],
    ['?asc=maybe', 400, "asc must be one of 0, 1, true, false, not 'maybe'."],
  ])('is rejected for the query %s', async (query, status, reason) => {
    expect(await get(`/Account${query}`)).toMatchObject({
      status,
      reason,
      body: { message: reason },
    });
  });

  it.each([
    '?select=%00',
    '?select[a][b]=c',
    '?%00=%zz',
    '?__proto__=1&constructor=2',
    '?select=%c3%28',
    '?&&=&',
  ])('accepts the malformed query %s', async (query) => {
    expect((await get(`/Account${query}`)).status).toBe(200);
  });
});
