import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type QueryExample, secrets, startQueryExample } from './query-example.ts';

let example: QueryExample;
const get: QueryExample['get'] = async (...question) => example.get(...question);
const ids = (answer: { readonly body: { readonly list: readonly { id: string }[] } }) =>
  answer.body.list.map(({ id }) => id).join(' ');

beforeAll(async () => {
  example = await startQueryExample(inject('databaseUrl'));
  const { know, store } = example;
  know('User', 'u1', { userName: 'ann', name: 'Ann' });
  know('User', 'u2', { userName: 'bob', name: 'Bob' });
  know('Team', 't1', { name: 'Sales' });
  await example.createTables();
  await store('User', {
    id: 'u1',
    userName: 'ann',
    name: 'Ann',
    passwordHash: 'scrypt',
    apiKey: 'v1.x',
  });
  await store('User', { id: 'u2', userName: 'bob', name: 'Bob' });
  await store('Account', {
    id: 'a1',
    version: 7,
    name: 'Acme',
    type: 'Partner',
    website: 'https://acme.example',
    description: 'x'.repeat(10_001),
    emailAddress: 'a@acme.example',
    emailAddressData: [{ emailAddress: 'a@acme.example', primary: true }],
    billingAddressCity: 'Berlin',
    billingAddressLatitude: 52.5,
    createdById: 'u1',
    modifiedAt: '2030-01-02 11:00:00',
    assignedUserId: 'u2',
    teamsIds: ['t1', 't9'],
  });
  await store('Account', { id: 'a2', name: 'Zeta', type: 'Customer', assignedUserId: 'u1' });
  await store('Account', { id: 'a3', name: 'Mid', createdAt: '2030-01-01 12:00:00' });
  await store('Account', { id: 'a4', name: 'Gone', deleted: true });
  await store('Contact', {
    id: 'c1',
    name: 'Ada L',
    lastName: 'L',
    accountId: 'a1',
    accountsIds: ['a1', 'a2'],
  });
  await store('Contact', {
    id: 'c2',
    name: 'Bo',
    lastName: 'Bo',
    accountId: 'a2',
    campaignId: 'x',
  });
  await store('Contact', { id: 'c3', name: 'Cy', lastName: 'Cy', accountId: 'nowhere' });
  for (const number of [1, 2, 3]) {
    await store('Case', { id: `case${number}`, name: `Case ${number}`, number, version: number });
  }
  const secretKey = secrets.seal('hook secret');
  const hook = { event: 'Account.create', url: 'https://x.example', secretKey };
  await store('Webhook', { id: 'w1', ...hook, userId: 'api' });
  await store('Webhook', { id: 'w2', ...hook, userId: 'other' });
  await store('Webhook', { id: 'w3', ...hook, userId: 'api', deleted: true });
  await store('Role', { id: 'r1', name: 'All', data: {} });
});
afterAll(async () => example.close());

describe('the root', () => {
  it('is a JSON string', async () => {
    const answer = await get('/');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.text).toBe('"Annals REST API"');
  });
});

describe('a single read', () => {
  it('has every attribute, nulls included, in the order of the definitions', async () => {
    const { status, headers, body } = await get('/Account/a1');
    expect(status).toBe(200);
    expect(headers['etag']).toBe('"v7"');
    expect(Object.keys(body).slice(0, 9)).toEqual([
      'id',
      'name',
      'deleted',
      'website',
      'emailAddress',
      'emailAddressData',
      'emailAddressIsOptedOut',
      'emailAddressIsInvalid',
      'phoneNumber',
    ]);
    expect(Object.keys(body).at(-1)).toBe('versionNumber');
    expect(body).toMatchObject({
      id: 'a1',
      name: 'Acme',
      deleted: false,
      emailAddressData: [{ emailAddress: 'a@acme.example', primary: true }],
      emailAddressIsOptedOut: false,
      phoneNumber: null,
      phoneNumberData: [],
      billingAddressLatitude: 52.5,
      shippingAddressCity: null,
      contactRole: null,
      contactIsInactive: false,
      targetListsIds: [],
      targetListsNames: {},
      createdAt: '2030-01-01 10:00:00',
      modifiedAt: '2030-01-02 11:00:00',
      createdById: 'u1',
      createdByName: 'Ann',
      modifiedById: null,
      modifiedByName: null,
      assignedUserName: 'Bob',
      teamsIds: ['t1', 't9'],
      teamsNames: { t1: 'Sales', t9: null },
      isFollowed: false,
      versionNumber: 7,
    });
    expect(body.description).toHaveLength(10_001);
    expect(Object.keys(body).filter((key) => key.startsWith('$'))).toEqual([]);
  });

  it('has the values of linked records', async () => {
    expect((await get('/Contact/c1')).body).toMatchObject({
      accountId: 'a1',
      accountName: 'Acme',
      accountType: 'Partner',
      accountsIds: ['a1', 'a2'],
      accountsNames: { a1: 'Acme', a2: 'Zeta' },
    });
    expect((await get('/Contact/c2')).body).toMatchObject({ campaignId: 'x', campaignName: null });
    expect((await get('/Contact/c3')).body).toMatchObject({
      accountId: 'nowhere',
      accountName: null,
    });
    expect((await get('/Contact/c3')).body).not.toHaveProperty('versionNumber');
  });

  it.each(['/account/a1', '/accounts/a1', '//Account//a1/'])('is found at %s', async (path) => {
    expect((await get(path)).body.id).toBe('a1');
  });

  it('of a deleted record is for administrators', async () => {
    expect(await get('/Account/a4')).toMatchObject({ status: 200, body: { deleted: true } });
    expect(await get('/Account/a4', { 'x-actor': 'api' })).toMatchObject({
      status: 404,
      reason: 'Record a4 does not exist.',
    });
  });

  it.each([
    'missing',
    '%00',
    "'; drop table account",
    '%F0%9F%99%82',
    'x'.repeat(1_500),
    '__proto__',
    ' ',
  ])('of an id like %.30j is a 404', async (id) => {
    expect((await get(`/Account/${encodeURIComponent(decodeURIComponent(id))}`)).status).toBe(404);
  });

  it.each(['/__proto__/a1', '/Kontakt/a1', '/Contacts', '/constructor', '/%00'])(
    'of an entity type like %s is a 404',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it('needs read access', async () => {
    const narrow = { 'x-actor': 'narrow' };
    expect(await get('/Account/a1', narrow)).toMatchObject({
      status: 403,
      reason: 'No read access.',
    });
    expect(await get('/Lead/l1', narrow)).toMatchObject({ status: 403 });
    expect((await get('/Contact/c1', narrow)).status).toBe(200);
  });
});

describe('a list', () => {
  it('has scalar attributes and link names, newest first, with the total', async () => {
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
  ])('%s is %s', async (query, expected) => {
    const answer = await get(`/Account${query}`);
    expect(ids(answer)).toBe(expected);
    expect(answer.body.total).toBe(3);
  });

  it('is sorted by the number or the linked record too', async () => {
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
  ])('without a total tells whether more follow: %s', async (query, total) => {
    expect((await get(`/Account${query}`, { 'x-no-total': 'true' })).body.total).toBe(total);
  });

  it('has what select asks for, the id always, and ignores unknown names', async () => {
    const select = async (query: string) =>
      (await get(`/Account?orderBy=id&${query}`)).body.list[0];
    expect(await select('select=name,nonsense,passwordHash')).toEqual({ id: 'a1', name: 'Acme' });
    expect(await select('select[]=website&select[]=name')).toEqual({
      id: 'a1',
      name: 'Acme',
      website: 'https://acme.example',
    });
    expect(await select('attributeSelect=teamsNames,versionNumber,deleted&select=name')).toEqual({
      id: 'a1',
      deleted: false,
      teamsIds: ['t1', 't9'],
      teamsNames: { t1: 'Sales', t9: null },
      versionNumber: 7,
    });
    expect((await select('select=description')).description).toHaveLength(10_000);
    expect(await select('select=nothing')).toEqual({ id: 'a1' });
    expect((await get('/Contact?select=accountsNames,accountName&orderBy=id')).body.list).toEqual([
      {
        id: 'c1',
        accountId: 'a1',
        accountName: 'Acme',
        accountsIds: ['a1', 'a2'],
        accountsNames: { a1: 'Acme', a2: 'Zeta' },
      },
      { id: 'c2', accountId: 'a2', accountName: 'Zeta', accountsIds: [], accountsNames: {} },
      { id: 'c3', accountId: 'nowhere', accountName: null, accountsIds: [], accountsNames: {} },
    ]);
  });

  it.each([
    ['?maxSize=201', 403, 'Max size should not exceed 200. Use offset and limit.'],
    ['?maxSize=-1', 400, "maxSize must be an integer from 0 on, not '-1'."],
    ['?maxSize=1e2', 400, "maxSize must be an integer from 0 on, not '1e2'."],
    ['?offset=-5', 400, "offset must be an integer from 0 on, not '-5'."],
    [
      '?offset=99999999999999999999',
      400,
      "offset must be an integer from 0 on, not '99999999999999999999'.",
    ],
    ['?orderBy=nonsense', 400, "Not existing or not sortable attribute 'nonsense' in orderBy."],
    ['?orderBy=__proto__', 400, "Not existing or not sortable attribute '__proto__' in orderBy."],
    ['?orderBy=teams', 400, "Not existing or not sortable attribute 'teams' in orderBy."],
    ['?orderBy=campaign', 400, "Not existing or not sortable attribute 'campaign' in orderBy."],
    [
      '?orderBy=contactRole',
      400,
      "Not existing or not sortable attribute 'contactRole' in orderBy.",
    ],
    ['?order=up', 400, "order must be one of asc, desc, not 'up'."],
    ['?asc=maybe', 400, "asc must be one of 0, 1, true, false, not 'maybe'."],
    ['?where[0][type]=equals', 400, "Parameter 'where' is not supported yet."],
    ['?whereGroup%5B0%5D%5Btype%5D=a', 400, "Parameter 'whereGroup' is not supported yet."],
    ['?textFilter=a', 400, "Parameter 'textFilter' is not supported yet."],
    ['?q=a', 400, "Parameter 'q' is not supported yet."],
    ['?primaryFilter=open', 400, "Parameter 'primaryFilter' is not supported yet."],
    ['?boolFilterList[]=onlyMy', 400, "Parameter 'boolFilterList' is not supported yet."],
    ['?searchParams={}', 400, "Parameter 'searchParams' is not supported yet."],
  ])('%s is refused', async (query, status, reason) => {
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
  ])('survives %s', async (query) => {
    expect((await get(`/Account${query}`)).status).toBe(200);
  });
});

describe('webhooks', () => {
  const api = { 'x-actor': 'api' };

  it('are all shown to administrators, with their secret', async () => {
    const { body } = await get('/Webhook?orderBy=id');
    expect(body.total).toBe(2);
    expect(body.list[1]).toMatchObject({ id: 'w2', userId: 'other', secretKey: 'hook secret' });
    expect((await get('/Webhook/w1')).body).toMatchObject({
      userName: null,
      secretKey: 'hook secret',
    });
    expect((await get('/Webhook/w1')).body).not.toHaveProperty('name');
  });

  it('are shown to API users as far as they are their own, without the user', async () => {
    const { body } = await get('/Webhook', api);
    expect(body.total).toBe(1);
    expect(body.list).toHaveLength(1);
    expect(body.list[0]).toMatchObject({ id: 'w1', secretKey: 'hook secret' });
    expect(body.list[0]).not.toHaveProperty('userId');
    const single = await get('/Webhook/w1', api);
    expect(single.body).toMatchObject({ event: 'Account.create', secretKey: 'hook secret' });
    expect(Object.keys(single.body)).not.toEqual(expect.arrayContaining(['userName']));
    expect((await get('/Webhook?offset=5', api)).body).toEqual({ total: 1, list: [] });
    expect(
      ids(await get('/Webhook?select=userId,url&maxSize=1', { ...api, 'x-no-total': 'true' })),
    ).toBe('w1');
    expect((await get('/Webhook?orderBy=user', api)).status).toBe(400);
    expect((await get('/Webhook?orderBy=secretKey', api)).status).toBe(400);
  });

  it('of others are a 403, deleted ones a 404', async () => {
    expect(await get('/Webhook/w2', api)).toMatchObject({
      status: 403,
      reason: "No 'read' access.",
    });
    expect((await get('/Webhook/w3', api)).status).toBe(404);
    expect((await get('/Webhook/w9', api)).status).toBe(404);
  });

  it.each(['regular', 'narrow'])('are a 403 for %s users without the scope', async (name) => {
    for (const path of ['/Webhook', '/Webhook/w1']) {
      expect(await get(path, { 'x-actor': name })).toMatchObject({
        status: 403,
        reason: "No access to 'Webhook'.",
      });
    }
  });
});

describe('users, teams and roles', () => {
  it('are for administrators, without secrets', async () => {
    const user = await get('/User/u1');
    expect(user.body).toMatchObject({ userName: 'ann' });
    for (const key of ['passwordHash', 'apiKey', 'apiKeyHash', 'secretKey']) {
      expect(user.body).not.toHaveProperty(key);
    }
    expect((await get('/User?orderBy=passwordHash')).status).toBe(400);
    expect(ids(await get('/User'))).toBe('u1 u2');
    expect((await get('/Role/r1')).body.data).toEqual({});
    for (const path of ['/User', '/User/u1', '/Team', '/Role/r1']) {
      expect((await get(path, { 'x-actor': 'api' })).status).toBe(403);
    }
  });
});

describe('a change of the definitions', () => {
  it('is a 503 until its column is there, and is shown from then on', async () => {
    expect((await get('/Lead')).status).toBe(200);
    example.defineFields('Lead', { scoreCust: { type: 'float', isCustom: true } });
    expect(await get('/Lead')).toMatchObject({
      status: 503,
      reason: 'The read model is being prepared.',
    });
    await example.createTables();
    await example.store('Lead', { id: 'l1', name: 'L', scoreCust: 1.5 });
    for (let time = 0; time < 10; time += 1) {
      expect((await get('/Lead')).body.list).toMatchObject([{ id: 'l1', scoreCust: 1.5 }]);
      expect((await get('/Lead/l1')).body.scoreCust).toBe(1.5);
    }
    await example.pool.query('alter table annals.lead alter column score_cust type text');
    for (let time = 0; time < 10; time += 1) {
      expect((await get('/Lead/l1')).body.scoreCust).toBe('1.5');
    }
  });
});

describe('a database that is away', () => {
  it('is a 503 with Retry-After', async () => {
    const other = await startQueryExample(inject('databaseUrl'));
    await other.createTables();
    expect((await other.get('/Account')).status).toBe(200);
    await other.dropDatabase();
    for (const path of ['/Account', '/Account/a1']) {
      const answer = await other.get(path);
      expect(answer).toMatchObject({ status: 503, reason: 'The database is not available.' });
      expect(answer.headers['retry-after']).toBe('1');
    }
    await other.close();
  });
});
