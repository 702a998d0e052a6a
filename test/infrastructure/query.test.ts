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

describe('the root path', () => {
  it('returns a JSON string', async () => {
    const answer = await get('/');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.text).toBe('"Annals REST API"');
  });
});

describe('a single read', () => {
  it('returns every attribute, including nulls, in the order of the definitions', async () => {
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
    expect(Object.keys(body).slice(-4)).toEqual([
      'versionNumber',
      'isStarred',
      'followersIds',
      'followersNames',
    ]);
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

  it('returns the names of linked records', async () => {
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

  it.each(['/account/a1', '/accounts/a1', '//Account//a1/'])('is served at %s', async (path) => {
    expect((await get(path)).body.id).toBe('a1');
  });

  it('requires an administrator for a deleted record', async () => {
    expect(await get('/Account/a4')).toMatchObject({ status: 200, body: { deleted: true } });
    expect(await get('/Account/a4', { 'x-actor': 'api' })).toMatchObject({
      status: 404,
      reason: 'Record a4 does not exist.',
      body: { code: 'record.deleted' },
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
  ])('returns 404 for an id like %.30j', async (id) => {
    expect((await get(`/Account/${encodeURIComponent(decodeURIComponent(id))}`)).status).toBe(404);
  });

  it.each(['/__proto__/a1', '/Kontakt/a1', '/Contacts', '/constructor', '/%00'])(
    'returns 404 for an entity type like %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it('requires read access', async () => {
    const narrow = { 'x-actor': 'narrow' };
    expect(await get('/Account/a1', narrow)).toMatchObject({
      status: 403,
      reason: 'No read access.',
    });
    expect(await get('/Lead/l1', narrow)).toMatchObject({ status: 403 });
    expect((await get('/Contact/c1', narrow)).status).toBe(200);
  });
});

describe('reads of webhooks', () => {
  const api = { 'x-actor': 'api' };

  it('return all webhooks with their secrets to administrators', async () => {
    const { body } = await get('/Webhook?orderBy=id');
    expect(body.total).toBe(2);
    expect(body.list[1]).toMatchObject({ id: 'w2', userId: 'other', secretKey: 'hook secret' });
    expect((await get('/Webhook/w1')).body).toMatchObject({
      userName: null,
      secretKey: 'hook secret',
    });
    expect((await get('/Webhook/w1')).body).not.toHaveProperty('name');
  });

  it('show API users only their own webhooks', async () => {
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

  it('return 403 for webhooks of other users and 404 for deleted ones', async () => {
    expect(await get('/Webhook/w2', api)).toMatchObject({
      status: 403,
      reason: "No 'read' access.",
    });
    expect((await get('/Webhook/w3', api)).status).toBe(404);
    expect((await get('/Webhook/w9', api)).status).toBe(404);
  });

  it.each(['regular', 'narrow'])('return 403 to %s users without the scope', async (name) => {
    for (const path of ['/Webhook', '/Webhook/w1']) {
      expect(await get(path, { 'x-actor': name })).toMatchObject({
        status: 403,
        reason: "No access to 'Webhook'.",
      });
    }
  });
});

describe('reads of users, teams and roles', () => {
  it('require an administrator and contain no secrets', async () => {
    const user = await get('/User/u1');
    expect(user.body).toMatchObject({ userName: 'ann' });
    for (const key of ['passwordHash', 'apiKeyHash']) expect(user.body).not.toHaveProperty(key);
    expect(user.body).toMatchObject({ apiKey: 'an api key', secretKey: null });
    expect((await get('/User?orderBy=passwordHash')).status).toBe(400);
    expect(ids(await get('/User'))).toBe('u1 u2');
    expect((await get('/Role/r1')).body.data).toEqual({});
    const api = { 'x-actor': 'api' };
    expect((await get('/Role/r1', api)).status).toBe(403);
    expect((await get('/User/u1', api)).status).toBe(403);
    for (const path of ['/User', '/Team'])
      expect((await get(path, api)).body).toMatchObject({ total: 0 });
  });
});

describe('a change of the definitions', () => {
  it('makes reads fail with 503 until the column exists', async () => {
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

describe('an unavailable database', () => {
  it('makes reads fail with 503 and Retry-After', async () => {
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
