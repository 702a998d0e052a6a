import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { anAccount, unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';

let product: StartedProduct;
let api: ApiClient;
let admin: ApiClient;

beforeAll(async () => {
  product = await startProduct({ env: { WEBHOOK_ALLOWED_ADDRESSES: 'example.com:443' } });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  admin = api.as(withPassword(product.access().admin));
  await admin.put('/CurrencyRate', { EUR: 1.1 });
});

afterAll(async () => {
  api?.close();
  await product?.remove();
});

const key = (value = unique('key')) => ({ 'Idempotency-Key': value });
const create = async () => recordIn(await api.post('/Account', anAccount()));

type Sent = readonly ['post' | 'put', string, object];
type Made = Omit<Awaited<ReturnType<typeof makeUserWithRights>>, 'user' | 'roleId'>;

const everything = { create: 'yes', read: 'all', edit: 'all', delete: 'all', stream: 'all' };
const scopes = ['Account', 'Contact', 'Lead', 'Opportunity', 'TargetList'];
const closedWebsite = { Account: { website: { read: 'yes', edit: 'no' } } };
const allLeads = { massRelate: true, where: [{ type: 'isNotNull', attribute: 'lastName' }] };
const updating = (id: string) => ({
  entityType: 'Lead',
  action: 'update',
  params: { ids: [id] },
  data: { values: { description: 'called' } },
});
const converting = (id: string) => ({ id, records: { Contact: { lastName: unique('Ray') } } });
const merging = (targetId: string, sourceId: string) => ({
  targetId,
  sourceIds: [sourceId],
  attributes: {},
});
const toEuros = (id: string) => ({
  entityType: 'Opportunity',
  action: 'convertCurrency',
  id,
  data: { targetCurrency: 'EUR' },
});

/** Creates a user with full access to some entity types, and a record of each type. */
async function makeUserWithRights() {
  const name = unique('u').replace(' ', '');
  const data = {
    ...Object.fromEntries(scopes.map((scope) => [scope, everything])),
    Currency: { read: 'yes', edit: 'yes' },
  };
  const { id: roleId } = recordIn(
    await admin.post('/Role', { name, data, massUpdatePermission: 'yes' }),
  );
  const body = { userName: name, type: 'api', rolesIds: [roleId] };
  const { apiKey } = recordIn(await admin.post('/User', body));
  const make = async (type: string, values: object) =>
    recordIn(await api.post(`/${type}`, values, skipDuplicates)).id;
  return {
    user: api.as(withApiKey({ apiKey: String(apiKey) })),
    roleId,
    id: await make('Account', anAccount()),
    otherId: await make('Account', anAccount()),
    contactId: await make('Contact', { lastName: name }),
    leadId: await make('Lead', { lastName: name }),
    dealId: await make('Opportunity', { name, amount: 5, closeDate: '2027-01-01', probability: 5 }),
    listId: await make('TargetList', { name }),
    otherListId: await make('TargetList', { name: `other ${name}` }),
  };
}

const skipDuplicates = { 'X-Skip-Duplicate-Check': 'true' };

describe('a write with an Idempotency-Key', () => {
  it('is executed once, and a repeat returns the first response', async () => {
    const headers = key();
    const body = anAccount();
    const first = await api.post('/Account', body, headers);
    const second = await api.post('/Account', body, headers);

    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(second.body).toEqual(first.body);
    expect(second.headers['etag']).toBe(first.headers['etag']);
  });

  it('is executed once for any number of simultaneous requests', async () => {
    const headers = key();
    const before = listIn(await api.get('/Account?maxSize=1')).total;
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => api.post('/Account', { name: 'one' }, headers)),
    );

    expect(new Set(answers.map((answer) => recordIn(answer).id)).size).toBe(1);
    expect(
      answers.filter(({ headers: { 'idempotency-replayed': replayed } }) => replayed),
    ).toHaveLength(19);
    expect(listIn(await api.get('/Account?maxSize=1')).total).toBe(before + 1);
  });

  it('returns the created record, even if the record has changed since', async () => {
    const { id } = await create();
    const headers = key();
    const renamed = await api.put(`/Account/${id}`, { name: 'first' }, headers);
    await api.put(`/Account/${id}`, { name: 'second' });
    const again = await api.put(`/Account/${id}`, { name: 'first' }, headers);

    expect(again.body).toEqual(renamed.body);
    expect(again.headers['etag']).toBe('"v2"');
    expect(recordIn(await api.get(`/Account/${id}`))).toMatchObject({ name: 'second' });
  });

  it('deletes once and reports success both times', async () => {
    const { id } = await create();
    const headers = key();

    expect((await api.delete(`/Account/${id}`, headers)).body).toBe(true);
    expect((await api.delete(`/Account/${id}`, headers)).body).toBe(true);
    expect((await api.delete(`/Account/${id}`)).status).toBe(404);
  });

  it('returns the created record even if the request would be rejected now', async () => {
    const { id } = await create();
    const headers = key();
    const body = { lastName: unique('Ray'), accountId: id };
    const first = await api.post('/Contact', body, headers);
    await api.delete(`/Account/${id}`);
    const second = await api.post('/Contact', body, headers);

    expect((await api.post('/Contact', body, key())).status).toBe(403);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.body).toEqual(first.body);
  });

  it.each<readonly [string, (made: Made) => Sent]>([
    ['mass action', ({ leadId }) => ['post', '/MassAction', updating(leadId)]],
    ['conversion', ({ leadId }) => ['post', '/Lead/action/convert', converting(leadId)]],
    ['merge', ({ id, otherId }) => ['post', '/Account/action/merge', merging(id, otherId)]],
    ['currency conversion', ({ dealId }) => ['post', '/Action', toEuros(dealId)]],
    ['link', ({ id, contactId }) => ['post', `/Account/${id}/contacts`, { id: contactId }]],
    ['mass link', ({ listId }) => ['post', `/TargetList/${listId}/leads`, allLeads]],
    ['subscription', ({ id }) => ['put', `/Account/${id}/subscription`, {}]],
    ['star', ({ id }) => ['put', `/Account/${id}/starSubscription`, {}]],
    ['change of currency rates', () => ['put', '/CurrencyRate', { EUR: 1 + Math.random() }]],
    [
      'change',
      ({ id }) => ['put', `/Account/${id}`, { website: `${unique('a').replace(' ', '')}.example` }],
    ],
  ])(
    'returns the first response even after the user loses all permissions: %s',
    async (_, toSent) => {
      const { user, roleId, ...made } = await makeUserWithRights();
      const headers = { ...key(), 'X-Strict': 'true' };
      const [method, path, body] = toSent(made);
      const first = await user[method](path, body, headers);
      expect(first.status, first.text).toBe(200);
      await admin.put(`/Role/${roleId}`, { data: {}, fieldData: closedWebsite });
      const second = await user[method](path, body, headers);

      expect([second.status, second.headers['idempotency-replayed']]).toEqual([200, 'true']);
      expect((await user[method](path, body, { 'X-Strict': 'true' })).status).not.toBe(200);
    },
  );

  it('registers one webhook with one secret', async () => {
    const headers = key();
    const body = { event: 'Account.create', url: 'https://example.com/once' };
    const first = await api.post('/Webhook', body, headers);
    const second = await api.post('/Webhook', body, headers);

    expect(second.status).toBe(201);
    expect(second.body).toEqual(first.body);
  });

  it('is still recognized after the process is killed', async () => {
    const headers = key();
    const body = anAccount();
    const first = await api.post('/Account', body, headers);
    product.kill('api');
    await product.waitUntilReady('api');
    const second = await api.post('/Account', body, headers);

    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(recordIn(second).id).toBe(recordIn(first).id);
  });

  it('is rejected if the key belongs to a different request', async () => {
    const headers = key();
    const { id } = recordIn(await api.post('/Account', anAccount(), headers));
    const others = [
      await api.post('/Account', anAccount(), headers),
      await api.post('/Contact', { lastName: 'x' }, headers),
      await api.put(`/Account/${id}`, { name: 'other' }, headers),
    ];

    expect(others.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(others[0]?.body).toMatchObject({ code: 'idempotency_key.reused' });
  });

  it.each<readonly [string, (made: Made) => readonly [string, string, object]]>([
    [
      'a link of another record',
      ({ id, otherId, contactId }) => [
        `/Account/${id}/contacts`,
        `/Account/${otherId}/contacts`,
        { id: contactId },
      ],
    ],
    [
      'another record with the same links',
      ({ listId, otherListId, leadId }) => [
        `/TargetList/${listId}/leads`,
        `/TargetList/${otherListId}/leads`,
        { id: leadId },
      ],
    ],
    [
      'another link',
      ({ id, contactId }) => [
        `/Account/${id}/contacts`,
        `/Account/${id}/opportunities`,
        { id: contactId },
      ],
    ],
  ])('is rejected if the key belongs to %s', async (_, toSent) => {
    const [path, other, body] = toSent(await makeUserWithRights());
    const headers = key();
    expect((await api.post(path, body, headers)).status).toBe(200);
    const answer = await api.post(other, body, headers);
    expect([answer.status, Object(answer.body).code]).toEqual([422, 'idempotency_key.reused']);
  });

  it('does not collide with the same key of another user', async () => {
    const headers = key();
    const skip = { 'X-Skip-Duplicate-Check': 'true' };
    const body = anAccount();
    const other = api.as(withPassword(product.access().user));
    const ids = [
      recordIn(await api.post('/Account', body, headers)).id,
      recordIn(await other.post('/Account', body, { ...headers, ...skip })).id,
    ];

    expect(new Set(ids).size).toBe(2);
  });

  it.each(['', ' ', 'a\tb', 'x'.repeat(256), 'größe'])(
    'is rejected with the invalid key %j and changes nothing',
    async (value) => {
      const before = listIn(await api.get('/Account?maxSize=1')).total;
      const answer = await api.post('/Account', anAccount(), { 'Idempotency-Key': value });

      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'idempotency_key.invalid' });
      expect(listIn(await api.get('/Account?maxSize=1')).total).toBe(before);
    },
  );
});

describe('a conditional write', () => {
  it('is executed if the record has the version of If-Match', async () => {
    const { id } = await create();
    const etag = String((await api.get(`/Account/${id}`)).headers['etag']);
    const answer = await api.put(`/Account/${id}`, { name: 'next' }, { 'If-Match': etag });

    expect(etag).toBe('"v1"');
    expect(answer.status).toBe(200);
    expect(answer.headers['etag']).toBe('"v2"');
  });

  it.each(['"v2"', 'W/"v1"', '"something-else"'])(
    'is not executed with If-Match: %s',
    async (tag) => {
      const { id, name } = await create();
      const headers = { 'If-Match': tag };

      expect((await api.put(`/Account/${id}`, { name: 'next' }, headers)).status).toBe(412);
      expect((await api.delete(`/Account/${id}`, headers)).status).toBe(412);
      expect(recordIn(await api.get(`/Account/${id}`))['name']).toBe(name);
    },
  );

  it('is executed with an asterisk or a list that contains the version', async () => {
    const { id } = await create();

    const star = await api.put(`/Account/${id}`, { name: 'a' }, { 'If-Match': '*' });
    const list = await api.put(`/Account/${id}`, { name: 'b' }, { 'If-Match': '"v1", "v2"' });
    expect([star.status, list.status]).toEqual([200, 200]);
  });

  it('is rejected if If-Match is not an entity tag', async () => {
    const { id } = await create();

    const answer = await api.put(`/Account/${id}`, { name: 'a' }, { 'If-Match': 'v1' });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'if_match.invalid' });
  });

  it('lets exactly one of many concurrent writers succeed per version', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, index) =>
        api.put(`/Account/${id}`, { name: `writer ${index}` }, { 'If-Match': '"v1"' }),
      ),
    );

    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array.from({ length: 11 }, () => 412)]);
  });

  it('does not overwrite changes that a client with X-Version-Number has not seen', async () => {
    const { id } = await create();
    await api.put(`/Account/${id}`, { name: 'newer', website: 'example.com' });
    const stale = { 'X-Version-Number': '1' };
    const refused = await api.put(`/Account/${id}`, { name: 'older', type: 'Partner' }, stale);
    const same = await api.put(`/Account/${id}`, { name: 'newer' }, stale);

    expect(refused.status).toBe(409);
    expect(refused.headers['x-status-reason']).toBe('modified');
    expect(refused.body).toMatchObject({ values: { name: 'newer' }, versionNumber: 2 });
    expect(same.status).toBe(200);

    const invalid = await api.put(`/Account/${id}`, { name: '', type: 'Partner' }, stale);
    expect([invalid.status, Object(invalid.body).values]).toEqual([
      409,
      { name: 'newer', type: 'Customer' },
    ]);
    const admin = api.as(withPassword(product.access().admin));
    const team = recordIn(await admin.post('/Team', { name: 'a' })).id;
    await admin.put(`/Team/${team}`, { description: 'newer' });
    const bad = { name: 'x'.repeat(101), description: 'older' };
    expect((await admin.put(`/Team/${team}`, bad, stale)).status).toBe(409);
    expect((await admin.put(`/Team/${team}`, bad)).status).toBe(400);
    expect((await admin.put('/Team/nobody', bad)).status).toBe(404);
  });

  it('is rejected if X-Version-Number is not a number', async () => {
    const { id } = await create();

    const answer = await api.put(`/Account/${id}`, { name: 'a' }, { 'X-Version-Number': 'one' });
    expect(answer.body).toMatchObject({ code: 'version_number.invalid' });
  });
});

describe('Prefer: return=minimal', () => {
  it('returns 204 with the version', async () => {
    const answer = await api.post('/Account', anAccount(), { Prefer: 'return=minimal' });

    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(answer.headers['etag']).toBe('"v1"');
    expect(answer.headers['preference-applied']).toBe('return=minimal');
  });
});

describe('a read with the consistency token of a write', () => {
  it('returns the written record even if the write did not wait for the projector', async () => {
    const created = recordIn(await api.post('/Account', { name: 'Token 0' }, skipDuplicates));
    const path = `/Account/${created['id']}`;
    for (let turn = 1; turn <= 20; turn++) {
      const written = await api.put(path, { name: `Token ${turn}` }, { Prefer: 'respond-async' });
      const token = String(written.headers['x-consistency-token']);
      const read = await api.get(path, { 'X-Consistency-Token': token });
      expect(recordIn(read)).toMatchObject({ name: `Token ${turn}` });
    }
  });

  it('is rejected if the token is invalid', async () => {
    const answer = await api.get('/Account', { 'X-Consistency-Token': 'yesterday' });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'consistency_token.invalid' });
  });
});

describe('X-Strict', () => {
  it('rejects unknown attributes and names them', async () => {
    const body = { name: 'Strict', nmae: 'x', Website: 'y' };
    const refused = await api.post('/Account', body, { 'X-Strict': 'true' });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      errors: [
        { field: 'nmae', type: 'unknown' },
        { field: 'Website', type: 'unknown' },
      ],
    });
    const taken = await api.post('/Account', { ...body, 'na,ïve ': 1 }, skipDuplicates);
    expect(taken.status).toBe(200);
    expect(taken.headers['x-ignored-attributes']).toBe('nmae, Website, na%2C%C3%AFve%20');
    const long = { name: 'Strict and long', ['x'.repeat(100_000)]: 1, nmae: 'x' };
    const bounded = await api.post('/Account', long, skipDuplicates);
    expect([bounded.status, bounded.headers['x-ignored-attributes']]).toEqual([200, 'nmae']);
    const plain = { name: 'Strict and right' };
    const right = await api.post('/Account', plain, { 'X-Strict': 'true' });
    expect(right.status).toBe(200);
    expect(right.headers).not.toHaveProperty('x-ignored-attributes');
  });

  it('accepts a body returned by a read and ignores its read-only attributes', async () => {
    const path = `/Account/${(await create()).id}`;
    const read = recordIn(await api.get(path));
    expect(Object.keys(read)).toEqual(
      expect.arrayContaining(['id', 'deleted', 'isStarred', 'followersNames', 'versionNumber']),
    );
    const name = unique('Read and sent');
    const sent = { ...read, name, isStarred: true };
    const answer = await api.put(path, sent, { 'X-Strict': 'true', ...skipDuplicates });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(recordIn(await api.get(path))).toMatchObject({ name, isStarred: false });
  });
});
