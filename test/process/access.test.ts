import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { aCreation } from '../support/builders/record-event-builder.ts';
import { withApiKey, withHmacHex, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { appendAsAnotherWriter } from '../support/log/append-as-another-writer.ts';
import { codesOf } from '../support/log/test-codes.ts';

const topicPrefix = `access-${process.pid}`;
let product: StartedProduct;
let admin: ApiClient;

beforeAll(async () => {
  product = await startProduct({ env: { ANNALS_TOPIC_PREFIX: topicPrefix } });
  admin = createApiClient(product.url, withPassword(product.access().admin));
});
afterAll(async () => {
  admin.close();
  await product.stop();
});

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };
const uncheckedHeaders = { 'X-Skip-Duplicate-Check': 'true' };

async function make(entityType: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const answer = await admin.post(`/${entityType}`, body, uncheckedHeaders);
  expect(answer.status, answer.text).toBe(200);
  return recordIn(answer);
}

/** Creates an API user with one role. */
async function makeApiUser(userName: string, role: object, more: object = {}) {
  const { id: roleId } = await make('Role', { name: userName, ...role });
  const user = await make('User', { userName, type: 'api', rolesIds: [roleId], ...more });
  return { user, api: admin.as(withApiKey({ apiKey: String(user['apiKey']) })) };
}

describe('an administrator', () => {
  it('creates API users with working keys and secrets that no one else can read', async () => {
    const { user, api } = await makeApiUser('newcomer', { data: { Account: all } });
    expect(user).toMatchObject({
      userName: 'newcomer',
      lastName: 'newcomer',
      authMethod: 'ApiKey',
    });
    expect(user['apiKey']).toMatch(/^[0-9a-f]{32}$/);
    expect((await admin.get(`/User/${user['id']}`)).body).toMatchObject({ apiKey: user['apiKey'] });
    expect((await api.post('/Account', { name: 'Mine' })).status).toBe(200);
    const own = await api.get(`/User/${user['id']}`);
    expect(own.body).toMatchObject({ userName: 'newcomer' });
    expect(own.text).not.toContain(String(user['apiKey']));
    for (const name of ['authMethod', 'secretKey', 'defaultTeamId']) {
      expect(own.body).not.toHaveProperty(name);
    }
  });

  it("can change a user's authentication method to HMAC and back", async () => {
    const { user, api } = await makeApiUser('signer', { data: { Account: all } });
    const path = `/User/${user['id']}`;
    const { secretKey } = recordIn(await admin.put(path, { authMethod: 'Hmac' }));
    expect(secretKey).toMatch(/^[0-9a-f]{32}$/);
    expect((await api.get('/Account')).status).toBe(401);
    const credentials = {
      userName: 'signer',
      apiKey: String(user['apiKey']),
      secretKey: String(secretKey),
    };
    expect((await admin.as(withHmacHex(credentials)).get('/Account')).status).toBe(200);
    expect(recordIn(await admin.put(path, { authMethod: 'ApiKey' }))['secretKey']).toBeNull();
    expect((await api.get('/Account')).status).toBe(200);
  });

  it('creates users who log in with a password', async () => {
    const body = { userName: 'ann', lastName: 'Lee', firstName: 'Ann', password: 'long enough' };
    const user = await make('User', body);
    expect(user).toMatchObject({ name: 'Ann Lee', type: 'regular' });
    expect(JSON.stringify(user)).not.toMatch(/long enough|scrypt/);
    const ann = admin.as(withPassword({ userName: 'ann', password: 'long enough' }));
    expect((await ann.get(`/User/${user['id']}`)).status).toBe(200);
    expect((await admin.post('/User', { ...body, userName: 'bob', password: 'a' })).status).toBe(
      403,
    );
    expect((await ann.post('/User', { ...body, userName: 'eve' })).status).toBe(403);
  });

  it('gets an error for a taken user name and for invalid names, types and roles', async () => {
    await make('User', { userName: 'taken', lastName: 'T' });
    const again = await admin.post('/User', { userName: 'taken', lastName: 'T' });
    expect(again.status).toBe(409);
    expect(again.headers['x-status-reason']).toBe('userNameExists');
    expect(again.body).toMatchObject({
      message: 'The user name taken is already in use. Choose another one.',
    });
    const bad = await admin.post('/User', { userName: 'Not Good', lastName: 'T' });
    expect(bad.status).toBe(400);
    const team = await admin.post('/Team', { name: '<b>' });
    expect(team.body).toMatchObject({ errors: [{ field: 'name', type: 'pattern' }] });
    expect(
      (await admin.post('/User', { userName: 'x', lastName: 'T', type: 'system' })).status,
    ).toBe(403);
    const roles: readonly (readonly [object, string])[] = [
      [{ data: { Foo: { read: 'all' } } }, 'Foo'],
      [{ data: { Account: { read: 'some' } } }, 'Account'],
      [{ data: { Account: true } }, 'Account'],
      [{ data: { Webhook: { read: 'all' } } }, 'Webhook'],
      [{ data: { User: { edit: 'all' } } }, 'User'],
      [{ fieldData: { Account: { nose: { read: 'no' } } } }, 'nose'],
      [{ fieldData: { Account: { name: { read: 'maybe' } } } }, 'name'],
      [{ data: { Account: ['all'] } }, 'Account'],
      [{ data: { Account: { ...all, read: 'own' } } }, '*Account*, *edit* exceeds *own* of *read*'],
      [{ data: { Account: { read: 'team', delete: 'all' } } }, 'raise *read* to *all*, or lower'],
      [{ data: { Lead: { read: 'own', stream: 'team' } } }, '*Lead*, *stream*'],
      [{ data: { Currency: { edit: 'yes' } } }, '*Currency*, *edit*'],
    ];
    for (const [role, culprit] of roles) {
      const answer = await admin.post('/Role', { name: 'bad', ...role });
      expect([answer.status, answer.text.includes(culprit)], answer.text).toEqual([400, true]);
    }
  });

  it('cannot delete their own user', async () => {
    expect((await admin.delete('/User/admin')).status).toBe(403);
  });

  it('revokes access by deleting a user, removing a role or deactivating a user', async () => {
    const { user, api } = await makeApiUser('leaver', { data: { Account: all } });
    expect((await api.get('/Account')).status).toBe(200);
    await admin.put(`/User/${user['id']}`, { isActive: false });
    expect((await api.get('/Account')).status).toBe(401);
    await admin.put(`/User/${user['id']}`, { isActive: true, rolesIds: [] });
    expect((await api.get('/Account')).status).toBe(403);
    expect((await admin.delete(`/User/${user['id']}`)).text).toBe('true');
    expect((await api.get('/Account')).status).toBe(401);
    await make('User', { userName: 'leaver', type: 'api' });
  });
});

describe('a role', () => {
  it('grants access to the records of the user’s teams at level team', async () => {
    const { id: teamId } = await make('Team', { name: 'Sales' });
    const levels = { create: 'yes', read: 'team', edit: 'team', delete: 'own' };
    const { user, api } = await makeApiUser(
      'seller',
      { data: { Account: levels }, assignmentPermission: 'team' },
      { teamsIds: [teamId] },
    );
    const shared = await make('Account', { name: 'Shared', teamsIds: [teamId] });
    const foreign = await make('Account', { name: 'Foreign' });
    const mine = await make('Account', { name: 'Mine', assignedUserId: user['id'] });
    const list = await api.get('/Account?select=name&orderBy=name');
    expect(list.body).toMatchObject({ total: 2, list: [{ name: 'Mine' }, { name: 'Shared' }] });
    const statuses = async (record: Readonly<Record<string, unknown>>) => [
      (await api.get(`/Account/${record['id']}`)).status,
      (await api.get(`/Account/${record['id']}/history`)).status,
      (await api.put(`/Account/${record['id']}`, { description: 'x' })).status,
      (await api.delete(`/Account/${record['id']}`)).status,
    ];
    expect(await statuses(shared)).toEqual([200, 200, 200, 403]);
    expect(await statuses(foreign)).toEqual([403, 403, 403, 403]);
    expect(await statuses(mine)).toEqual([200, 200, 200, 200]);
    const given = await api.post('/Account', { name: 'Given', assignedUserId: 'admin' });
    expect(given.status).toBe(403);
    expect(given.headers['x-status-reason']).toContain('Assignment failure');
    const shown = await api.post('/Account', { name: 'New', teamsIds: [teamId] });
    expect([shown.status, 'x-warning' in shown.headers]).toEqual([200, false]);
  });

  it('warns about new records that level own hides from their creator', async () => {
    const own = { create: 'yes', read: 'own', edit: 'own', delete: 'own' };
    const role = { data: { Account: own }, assignmentPermission: 'all' };
    const { user, api } = await makeApiUser('loner', role);
    const lost = await api.post('/Account', { name: 'Unassigned' });
    expect([lost.status, Object.keys(recordIn(lost))]).toEqual([200, ['id']]);
    expect(lost.headers['x-warning']).toContain('You may not read this record.');
    const kept = await api.post('/Account', { name: 'Assigned', assignedUserId: user['id'] });
    expect([kept.status, 'x-warning' in kept.headers]).toEqual([200, false]);
  });

  it('can deny reading and writing of single fields', async () => {
    const fieldData = {
      Account: { sicCode: { read: 'no', edit: 'no' }, description: { read: 'yes', edit: 'no' } },
    };
    const { api } = await makeApiUser('half-blind', { data: { Account: all }, fieldData });
    const account = await make('Account', { name: 'Secretive', sicCode: 'S1', description: 'old' });
    const path = `/Account/${account['id']}`;
    const seen = await api.get(path);
    expect(seen.body).toMatchObject({ description: 'old' });
    expect(seen.text).not.toContain('sicCode');
    const written = await api.put(path, {
      sicCode: 'S2',
      description: 'new',
      website: 'a.example',
    });
    expect(written.status).toBe(200);
    expect(written.text).not.toContain('sicCode');
    expect(written.headers['x-ignored-attributes']).toBe('sicCode, description');
    const strict = await api.put(
      path,
      { website: 'b.example', sicCode: 'S2' },
      { 'X-Strict': 'true' },
    );
    expect(strict.status).toBe(400);
    expect(strict.body).toMatchObject({ errors: [{ field: 'sicCode', type: 'closed' }] });
    expect((await admin.get(path)).body).toMatchObject({
      sicCode: 'S1',
      description: 'old',
      website: 'a.example',
    });
    expect((await api.get(`${path}/history`)).text).not.toContain('sicCode');
    expect((await api.get('/Account?orderBy=sicCode')).status).toBe(400);
    expect((await api.get('/Account?select=sicCode,name')).text).not.toContain('S1');
  });

  it('closes attributes computed from closed fields and hides duplicates found through them', async () => {
    const closed = { read: 'no', edit: 'yes' };
    const fieldData = { Opportunity: { probability: closed }, Contact: { lastName: closed } };
    const { api } = await makeApiUser('no-odds', {
      data: { Opportunity: all, Contact: all },
      fieldData,
    });
    const odds = { amount: 200, probability: 50, closeDate: '2030-01-31' };
    const made = await api.post('/Opportunity', { name: 'Odd', ...odds });
    expect(made.status, made.text).toBe(200);
    const path = `/Opportunity/${recordIn(made)['id']}`;
    const paths = [path, `${path}/history`, `${path}?asOf=2100-01-01T00:00:00Z`, '/Opportunity'];
    for (const { text } of [made, ...(await Promise.all(paths.map((one) => api.get(one))))]) {
      expect(text).toContain('amountConverted');
      expect(text).not.toContain('amountWeightedConverted');
    }
    const name = { firstName: 'Nora', lastName: 'Unseen' };
    await make('Contact', name);
    expect((await admin.post('/Contact', name)).status).toBe(409);
    const twin = await api.post('/Contact', name);
    expect(twin.status, twin.text).toBe(200);
    expect(twin.text).not.toContain('Unseen');
  });

  it('hides the names of linked records that the user may not read', async () => {
    const account = await make('Account', { name: 'Hidden Ltd', type: 'Partner' });
    const data = { Contact: all, Account: { read: 'own' } };
    const { api } = await makeApiUser('linker', { data, assignmentPermission: 'all' });
    const contact = await make('Contact', { lastName: 'Linked', accountId: account['id'] });
    const path = `/Contact/${contact['id']}`;
    for (const answer of [await api.get(path), await api.put(path, { title: 'CEO' })]) {
      expect(answer.body).toMatchObject({ accountId: account['id'], accountName: null });
      expect(answer.text).not.toContain('Hidden');
      expect(answer.text).not.toContain('Partner');
    }
    const linked = await api.post('/Contact', { lastName: 'New', accountId: account['id'] });
    expect(linked.status).toBe(403);
    expect(linked.body).toMatchObject({ messageTranslation: { label: 'cannotRelateForbidden' } });
    expect((await api.put(path, { accountId: account['id'], title: 'CTO' })).status).toBe(200);
  });

  it("shows users' teams and roles to readers, but only administrators can change them", async () => {
    const { id: teamId } = await make('Team', { name: 'Readers' });
    const role = { data: { User: { read: 'all', edit: 'own' } } };
    const { user, api } = await makeApiUser('colleague', role, { teamsIds: [teamId] });
    const own = `/User/${user['id']}`;
    const { rolesIds, rolesNames } = user;
    expect((await api.get('/User/user')).body).toMatchObject({
      rolesIds: ['role-full-access'],
      rolesNames: { 'role-full-access': 'Full access' },
      teamsIds: [],
    });
    expect((await api.get(own)).body).toMatchObject({ teamsIds: [teamId], rolesIds, rolesNames });
    const more = { title: 'Reader', rolesIds: ['role-full-access'] };
    const changed = await api.put(own, more);
    expect(recordIn(changed)).toMatchObject({ title: 'Reader', rolesIds });
    expect(changed.headers['x-ignored-attributes']).toBe('rolesIds');
    expect((await api.put(own, more, { 'X-Strict': 'true' })).status).toBe(400);
    expect((await api.put('/User/user', { title: 'x' })).status).toBe(403);
    const acl = Object((await api.get('/App/user')).body).acl;
    expect(acl.fieldTable.User).toMatchObject({
      roles: { read: 'yes', edit: 'no' },
      defaultTeam: { read: 'no', edit: 'no' },
    });
    expect(acl.fieldTable.User).not.toHaveProperty('title');
    const chosen = (await api.get('/User?select=title&maxSize=1')).body;
    expect(chosen).toMatchObject({ list: [{ type: expect.any(String), isActive: true }] });
  });

  it('also applies to a user through a team', async () => {
    const { id: roleId } = await make('Role', { name: 'Readers', data: { Lead: { read: 'all' } } });
    const { id: teamId } = await make('Team', { name: 'Readers', rolesIds: [roleId] });
    const { user, api } = await makeApiUser('member', { data: {} });
    expect((await api.get('/Lead')).status).toBe(403);
    await admin.put(`/User/${user['id']}`, { teamsIds: [teamId] });
    expect((await api.get('/Lead')).status).toBe(200);
  });
});

describe('a role from an earlier version that allows changing unreadable records', () => {
  const blind = { create: 'yes', read: 'no', edit: 'all', delete: 'all' };
  let api: ApiClient;
  let converter: ApiClient;

  beforeAll(async () => {
    const { directory: topic } = topicNames(topicPrefix);
    const hidden = {
      name: 'Blind',
      data: { Account: blind, Opportunity: blind, Currency: { read: 'no', edit: 'yes' } },
    };
    const leads = { name: 'Blind to leads', data: { Lead: blind, Account: all, Contact: all } };
    await appendAsAnotherWriter(product.access().kafka, { topic, codes: codesOf(product) }, [
      aCreation('Role', hidden, { recordId: 'blind' }),
      aCreation('Role', leads, { recordId: 'blind-leads' }),
    ]);
    await eventually(async () => expect((await admin.get('/Role/blind-leads')).status).toBe(200));
    const userWith = async (roleId: string) => {
      const user = await make('User', { userName: roleId, type: 'api', rolesIds: [roleId] });
      return admin.as(withApiKey({ apiKey: String(user['apiKey']) }));
    };
    api = await userWith('blind');
    converter = await userWith('blind-leads');
  });

  const secret = 'Unseen Corp';
  const makeHidden = async () => {
    const { id } = await make('Account', { name: secret, sicCode: '99', type: 'Partner' });
    return { id: String(id), path: `/Account/${id}` };
  };

  it('still applies and can be renamed, but its permissions cannot be saved again', async () => {
    expect((await admin.put('/Role/blind', { name: 'Still blind' })).status).toBe(200);
    const again = await admin.put('/Role/blind', { data: { Account: blind } });
    expect([again.status, again.text.includes('*Account*, *edit*')]).toEqual([400, true]);
  });

  it('returns only the id of a written record', async () => {
    const { id, path } = await makeHidden();
    const link = { 'X-Version-Number': '1' };
    const answers = [
      await api.put(path, {}),
      await api.patch(path, { website: 'x.example' }, link),
      await api.put(path, { campaignId: null }),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([200, { id }]);
      expect(answer.headers).not.toHaveProperty('etag');
      expect(answer.headers).not.toHaveProperty('x-record-link-updated');
    }
    const silent = await api.put(path, { website: 'y.example' }, { Prefer: 'return=minimal' });
    expect([silent.status, silent.headers['etag']]).toEqual([204, undefined]);
    const made = await api.post('/Account', { name: 'Made blindly' });
    expect([made.status, Object.keys(recordIn(made))]).toEqual([200, ['id']]);
    expect(made.headers).not.toHaveProperty('etag');
    const rates = await api.put('/CurrencyRate', { EUR: 1.1 });
    expect([rates.status, rates.body]).toEqual([200, { EUR: 1.1 }]);
    expect((await admin.put('/CurrencyRate', { CHF: 1.2 })).status).toBe(200);
    expect((await api.put('/CurrencyRate', { EUR: 1.2 })).body).toEqual({ EUR: 1.2 });
    expect(recordIn(await admin.get(path))).toMatchObject({ website: 'y.example', sicCode: '99' });
  });

  it('reveals neither the version nor the values of a conflicting record', async () => {
    const { path } = await makeHidden();
    await admin.put(path, { sicCode: '98' });
    const stale = { 'If-Match': '"v7"' };
    const old = { 'X-Version-Number': '1' };
    const answers = [
      [await api.put(path, { sicCode: '1' }, stale), 412],
      [await api.delete(path, stale), 412],
      [await api.post(`${path}/contacts`, { id: 'x' }, stale), 412],
      // The response must not reveal whether the value matches, either.
      [await api.put(path, { sicCode: '98' }, old), 409],
      [await api.put(path, { sicCode: '1' }, old), 409],
    ] as const;
    for (const [answer, status] of answers) {
      expect(answer.status, answer.text).toBe(status);
      expect(answer.text).not.toMatch(/version 2|98|:2/);
      if (status === 409) expect(answer.body).toEqual({ values: {}, versionNumber: null });
    }
    const twin = await api.post('/Account', { name: secret });
    expect(twin.status).toBe(200);
  });

  it('does not copy hidden values into records that the user can read', async () => {
    const lead = await make('Lead', { lastName: 'Hidden', title: 'Spy' });
    const records = { Account: { name: 'Front' }, Contact: { lastName: 'Agent' } };
    const converted = await converter.post('/Lead/action/convert', { id: lead['id'], records });
    expect([converted.status, converted.body]).toEqual([200, { id: lead['id'] }]);
    const { createdContactId } = recordIn(await admin.get(`/Lead/${lead['id']}`));
    expect(recordIn(await admin.get(`/Contact/${createdContactId}`))['title']).toBeNull();
    const [target, source] = [await makeHidden(), await makeHidden()];
    const merge = { entityType: 'Account', action: 'merge', id: target.id };
    const data = { sourceIdList: [source.id], attributes: {} };
    expect((await api.post('/Action', { ...merge, data })).status).toBe(403);
    const deal = await make('Opportunity', { name: 'Deal', amount: 7, closeDate: '2030-01-31' });
    const exchange = {
      entityType: 'Opportunity',
      action: 'convertCurrency',
      id: deal['id'],
      data: { targetCurrency: 'EUR' },
    };
    const exchanged = await api.post('/Action', exchange);
    expect(exchanged.text).not.toContain('amount');
  });
});
