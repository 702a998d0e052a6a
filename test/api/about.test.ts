import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { anonymous, withApiKey, withHmacHex, withPassword } from '../support/credentials.ts';

let annals: StartedAnnals;
let api: ApiClient;
let admin: ApiClient;

beforeAll(async () => {
  annals = await startAnnals({ env: { API_CUSTOM_PREFIX: 'taken' } });
  api = createApiClient(annals.url, withApiKey(annals.apiKey));
  admin = api.as(withPassword(annals.admin));
});
afterAll(async () => {
  api.close();
  await annals.stop();
});

describe('GET App/user', () => {
  it('returns the name and permissions of the caller for every kind of user', async () => {
    const { hmac, user, apiKey } = annals;
    const kinds = [
      [api, apiKey.userName, 'api'],
      [admin, annals.admin.userName, 'admin'],
      [admin.as(withHmacHex(hmac)), hmac.userName, 'api'],
      [admin.as(withPassword(user)), user.userName, 'regular'],
    ] as const;
    for (const [client, userName, type] of kinds) {
      const answer = await client.get('/App/user');
      expect(answer.body).toMatchObject({
        user: { userName, type, isAdmin: type === 'admin' },
        acl: { table: { Account: { read: 'all', create: 'yes' }, Webhook: true } },
        preferences: {},
        token: null,
        settings: { version: expect.any(String) },
        language: 'en_US',
      });
      expect(answer.text).not.toMatch(/apiKey|password|rolesIds/);
    }
    expect((await admin.as(anonymous).get('/App/user')).status).toBe(401);
  });

  it("lists the permissions and the closed fields of the caller's roles", async () => {
    const fieldData = { Account: { sicCode: { read: 'no', edit: 'no' } } };
    const role = { name: 'Narrow', data: { Account: { read: 'own' } }, fieldData };
    const { id } = recordIn(await admin.post('/Role', role));
    const body = { userName: 'narrow', type: 'api', rolesIds: [id] };
    const { apiKey } = recordIn(await admin.post('/User', body));
    const narrow = admin.as(withApiKey({ apiKey: String(apiKey) }));
    const { acl } = (await narrow.get('/App/user')).body as {
      acl: { table: Record<string, unknown>; fieldTable: unknown };
    };
    expect(acl.table['Account']).toMatchObject({
      create: 'yes',
      read: 'own',
      edit: 'no',
      stream: 'own',
    });
    expect(acl.table).not.toHaveProperty('Contact');
    expect(acl.fieldTable).toMatchObject({ Account: { sicCode: { read: 'no', edit: 'no' } } });
    const defs = (await narrow.get('/Metadata?key=entityDefs')).body;
    expect(Object.keys(Object(defs))).toEqual(expect.arrayContaining(['Account', 'User']));
    expect(defs).not.toHaveProperty('Contact');
  });
});

describe('Preferences', () => {
  const at = (user: { readonly id: string }) => `/Preferences/${user.id}`;
  async function someone() {
    const body = { userName: unique('p').replace(' ', ''), type: 'api' };
    const { id, apiKey, name } = recordIn(await admin.post('/User', body));
    const client = admin.as(withApiKey({ apiKey: String(apiKey) }));
    return { id: String(id), name, client };
  }

  it('have defaults until the user stores other values', async () => {
    const { client, ...user } = await someone();
    const untouched = await client.get(at(user));
    expect(untouched.body).toMatchObject({ id: user.id, name: user.name, language: '' });
    const changes = { language: 'de_DE', annalsColumns: { Account: ['name'] } };
    const changed = await client.put(at(user), changes);
    expect(changed).toMatchObject({ status: 200, body: { ...changes, weekStart: -1 } });
    expect((await client.put(at(user), { weekStart: 1 })).body).toMatchObject({
      ...changes,
      weekStart: 1,
    });
    expect((await client.get('/App/user')).body).toMatchObject({ preferences: changes });
    expect((await client.delete(at(user))).body).toEqual(untouched.body);
    expect((await client.get(at(user))).body).toEqual(untouched.body);
  });

  it('are available only to the user and administrators', async () => {
    const [ann, bob] = [await someone(), await someone()];
    expect((await bob.client.get(at(ann))).status).toBe(403);
    expect((await bob.client.put(at(ann), { theme: 'Dark' })).status).toBe(403);
    expect((await bob.client.delete(at(ann))).status).toBe(403);
    const reset = '/Preferences/action/resetDashboard';
    expect((await bob.client.post(reset, { id: ann.id })).status).toBe(403);
    expect((await admin.put(at(ann), { theme: 'Dark' })).body).toMatchObject({ theme: 'Dark' });
    expect((await ann.client.get(at(ann))).body).toMatchObject({ theme: 'Dark' });
    for (const unknown of ['nobody', 'x'.repeat(101)]) {
      expect((await admin.get(`/Preferences/${unknown}`)).status).toBe(404);
      expect((await admin.put(`/Preferences/${unknown}`, {})).status).toBe(404);
    }
    expect((await admin.patch(at(ann), {})).status).toBe(405);
    expect((await admin.get('/Preferences')).status).toBe(404);
  });

  it('share views of lists with a team', async () => {
    const { id: teamId } = recordIn(await admin.post('/Team', { name: unique('viewers') }));
    const [ann, bob, eve] = [await someone(), await someone(), await someone()];
    for (const { id } of [ann, bob]) await admin.put(`/User/${id}`, { teamsIds: [teamId] });
    const view = { name: 'Ours', search: { q: 'x' } };
    const views = [
      { ...view, teamsIds: [teamId] },
      { name: 'Mine', search: {} },
    ];
    await ann.client.put(at(ann), { 'annals-views-Account': views });
    const path = '/Preferences/action/sharedViews';
    const seenBy = async ({ client }: typeof ann, type = 'Account') =>
      (await client.get(`${path}?entityType=${type}`)).body;
    const owner = { ownerId: ann.id, ownerName: ann.name };
    expect(await seenBy(bob)).toEqual({ list: [{ ...view, ...owner }] });
    for (const none of [await seenBy(ann), await seenBy(eve), await seenBy(bob, 'Contact')]) {
      expect(none).toEqual({ list: [] });
    }
    expect((await bob.client.get(path)).status).toBe(400);
    await admin.put(`/User/${ann.id}`, { teamsIds: [] });
    expect(await seenBy(bob)).toEqual({ list: [] });
  });

  it('can be reset only for the dashboard', async () => {
    const { client, ...user } = await someone();
    const { dashboardLayout } = recordIn(await client.get(at(user)));
    const changes = { dashboardLayout: [], dashletsOptions: { x: {} }, theme: 'Dark' };
    await client.put(at(user), changes);
    const reset = await client.post('/Preferences/action/resetDashboard', { id: user.id });
    expect(reset.body).toEqual({ dashboardLayout, dashletsOptions: {} });
    expect((await client.get(at(user))).body).toMatchObject({ dashboardLayout, theme: 'Dark' });
    expect((await client.post('/Preferences/action/resetDashboard', {})).status).toBe(400);
  });

  it('are rejected as a whole if one is invalid or they exceed 64 KiB', async () => {
    const { client, ...user } = await someone();
    const invalid = await client.put(at(user), { theme: 'Dark', weekStart: 9 });
    expect(invalid).toMatchObject({
      status: 400,
      body: { code: 'record.invalid', errors: [{ field: 'weekStart', type: 'valid' }] },
    });
    const large = await client.put(at(user), { mine: 'x'.repeat(65_536) });
    expect(large).toMatchObject({ status: 413, body: { code: 'preferences.too_large' } });
    expect((await client.get(at(user))).body).toMatchObject({ theme: '', weekStart: -1 });
  });

  it('return the first outcome when a request is repeated with its Idempotency-Key', async () => {
    const { client, ...user } = await someone();
    const headers = { 'Idempotency-Key': unique('key').replace(' ', '') };
    const send = () => client.put(at(user), { theme: 'Dark' }, headers);
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotency-replayed']).toBe('true');
  });
});

describe('GET Metadata', () => {
  it('returns the value at a path, or null if the path has none', async () => {
    expect((await api.get('/Metadata?key=entityDefs.Lead.fields.status.default')).text).toBe(
      '"New"',
    );
    expect((await api.get('/Metadata?key=entityDefs.Nobody.fields')).text).toBe('null');
    expect((await api.get('/Metadata?key=__proto__.x')).text).toBe('null');
    const { body } = await api.get('/Metadata?key=entityDefs.Contact');
    expect(body).toMatchObject({
      fields: {
        account: { type: 'link', entity: 'Account' },
        accountType: { type: 'foreign', link: 'account', field: 'type' },
        lastName: { required: true },
        phoneNumber: { type: 'phone', typeList: ['Mobile', 'Office', 'Home', 'Fax', 'Other'] },
      },
      links: {
        account: { type: 'belongsTo', entity: 'Account', foreign: 'contactsPrimary' },
        accounts: { type: 'hasMany', entity: 'Account', foreign: 'contacts' },
        tasks: { type: 'hasChildren', entity: 'Task', foreign: 'parent' },
      },
      collection: { orderBy: 'createdAt', order: 'desc', textFilterFields: expect.any(Array) },
    });
    expect((await admin.get('/Metadata?key=entityDefs.User')).text).not.toMatch(/passwordHash/);
    expect((await api.get('/Metadata?key=scopes')).body).toMatchObject({
      Currency: { aclActionList: ['read', 'edit'], aclLevelList: ['yes', 'no'] },
      Document: { aclActionList: ['create', 'read', 'edit', 'delete'] },
      Team: { aclActionList: ['read'], aclLevelList: ['all', 'team', 'no'] },
      User: {
        aclActionList: ['read', 'edit'],
        aclLevelList: ['all', 'team', 'own', 'no'],
        aclActionLevelListMap: { edit: ['own', 'no'] },
        watchable: false,
      },
      Note: { object: false, watchable: true },
    });
  });

  it('requires a login, while labels and some settings are public', async () => {
    const stranger = admin.as(anonymous);
    expect((await stranger.get('/Metadata')).status).toBe(401);
    expect((await stranger.get('/I18n')).body).toMatchObject({
      Global: { scopeNames: { TargetList: 'Target list' }, scopeNamesPlural: { Case: 'Cases' } },
      Account: { fields: { billingAddress: 'Billing address' } },
    });
    const german = await stranger.get('/I18n', { 'Accept-Language': 'de-AT, en;q=0.5' });
    expect(german.headers['content-language']).toBe('de');
    expect(german.headers['vary']).toContain('Accept-Language');
    expect(german.body).toMatchObject({ Task: { fields: { dateEnd: 'Fällig am' } } });
    expect((await stranger.get('/Settings')).body).toMatchObject({ applicationName: 'Annals' });
    expect((await stranger.get('/Settings')).body).not.toHaveProperty('version');
    expect((await api.get('/Settings')).body).toMatchObject({
      currencyList: ['USD'],
      currencyRates: {},
    });
  });
});

describe('layouts', () => {
  it('include a new field immediately for users who may read it', async () => {
    const closed = { fieldData: { Case: { rank: { read: 'no', edit: 'no' } } } };
    const field = { name: 'rank', type: 'int', label: 'Rank' };
    expect((await admin.post('/Admin/fieldManager/Case', field)).status).toBe(200);
    const data = { Case: { read: 'all', edit: 'no' } };
    const { id } = recordIn(await admin.post('/Role', { name: 'Unranked', data, ...closed }));
    const body = { userName: 'unranked', type: 'api', rolesIds: [id] };
    const { apiKey } = recordIn(await admin.post('/User', body));
    const unranked = admin.as(withApiKey({ apiKey: String(apiKey) }));

    for (const path of ['/Case/layout/filters', '/cases/layout/filters']) {
      expect((await api.get(path)).body).toEqual(expect.arrayContaining(['name', 'rank']));
    }
    expect((await api.get('/Case/layout/list')).body).toContainEqual({ name: 'rank' });
    const own = await unranked.get('/Case/layout/filters');
    expect(own.body).toEqual(expect.arrayContaining(['name', 'status']));
    expect(own.body).not.toContain('rank');
    expect((await unranked.get('/Case/layout/massUpdate')).body).toEqual([]);

    const unknown = await api.get('/Case/layout/nothing');
    expect([unknown.status, unknown.body]).toMatchObject([404, { code: 'layout.unknown' }]);
    expect((await api.get('/Nothing/layout/list')).status).toBe(404);
    expect((await unranked.get('/Account/layout/list')).status).toBe(403);
    expect((await api.get('/Role/layout/list')).status).toBe(403);
    expect((await admin.as(anonymous).get('/Case/layout/list')).status).toBe(401);
  });

  it('can be changed by administrators and reset to the default', async () => {
    const path = '/Account/layout/list';
    const original = '/Layout/action/getOriginal?scope=Account&name=list';
    const generated = (await admin.get(path)).body;
    const stored = [
      { name: 'website', link: true, width: 30 },
      { name: 'ownView', view: 'x' },
    ];
    const put = await admin.put(path, stored);
    expect([put.status, put.body]).toEqual([200, stored]);
    expect(put.headers['x-consistency-token']).toBeDefined();
    const changedAt = Number(put.headers['x-app-timestamp']);
    expect((await admin.as(anonymous).get('/Settings')).body).toMatchObject({
      cacheTimestamp: changedAt,
    });
    expect((await api.get(path)).body).toEqual(stored);
    expect((await admin.get(original)).body).toEqual(stored);
    expect((await admin.put(path, { columns: [] })).body).toEqual({ columns: [] });

    const reset = await admin.post('/Layout/action/resetToDefault', {
      scope: 'Account',
      name: 'list',
    });
    expect([reset.status, reset.body]).toEqual([200, generated]);
    expect(Number(reset.headers['x-app-timestamp'])).toBeGreaterThan(changedAt);
    expect((await api.get(path)).body).toEqual(generated);
    expect((await admin.get('/Account/layout/bottomPanelsEdit')).text).toBe('false');
  });

  it.each([
    ['/Account/layout/list', 'x'.repeat(70_000), 400, 'layout.invalid'],
    ['/Account/layout/nothing', [], 404, 'layout.unknown'],
    ['/Nothing/layout/list', [], 404, 'entity.unknown'],
    ['/Role/layout/list', [], 403, 'access.denied'],
  ])('reject a malformed body at %s', async (path, entry, status, code) => {
    const refused = await admin.put(path, [entry]);
    expect([refused.status, refused.body]).toMatchObject([status, { code }]);
    expect((await api.put(path, [])).status).toBe(
      status === 404 && code !== 'layout.unknown' ? 404 : 403,
    );
  });
});

describe('lead capture', () => {
  const path = (key: unknown) => `/LeadCapture/${String(key)}`;

  async function aCapture(values: object = {}) {
    return recordIn(await admin.post('/LeadCapture', { name: 'Form', ...values }));
  }

  async function leadsOf(emailAddress: string) {
    const where = encodeURIComponent(
      JSON.stringify([{ type: 'equals', attribute: 'emailAddress', value: emailAddress }]),
    );
    return listIn(await admin.get(`/Lead?whereGroup=${where}`)).list;
  }

  it('is not found under an unknown id', async () => {
    for (const { status } of [
      await admin.get(path('unknown')),
      await admin.put(path('unknown'), { name: 'Form' }),
    ]) {
      expect(status).toBe(404);
    }
  });

  it('creates one lead for each e-mail address with the API key in the path', async () => {
    const campaign = recordIn(await admin.post('/Campaign', { name: 'Spring' }));
    const targetList = recordIn(await admin.post('/TargetList', { name: 'Readers' }));
    const team = recordIn(await admin.post('/Team', { name: 'Sales' }));
    const { apiKey } = await aCapture({
      campaignId: campaign.id,
      targetListId: targetList.id,
      targetTeamId: team.id,
    });
    const form = admin.as(anonymous);
    const sent = { lastName: 'Doe', emailAddress: 'doe@example.com', status: 'Dead' };
    const answers = await Promise.all([1, 2].map(() => form.post(path(apiKey), sent)));
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([200, true]);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    }
    const [lead, ...others] = await leadsOf('doe@example.com');
    expect(others).toEqual([]);
    expect((await admin.get(`/Lead/${lead?.id}`)).body).toMatchObject({
      lastName: 'Doe',
      status: 'New',
      source: 'Web Site',
      campaignId: campaign.id,
      teamsIds: [team.id],
      targetListsIds: [targetList.id],
      createdById: 'system',
    });
    expect(await form.post(path(apiKey), { emailAddress: 'nobody' })).toMatchObject({
      status: 400,
      body: { code: 'record.invalid' },
    });
    expect(await form.post(path(apiKey), {})).toMatchObject({
      status: 400,
      headers: { 'access-control-allow-origin': '*' },
      body: { code: 'lead.empty' },
    });
  });

  it('creates a lead even if the form omits fields that leads require', async () => {
    const { apiKey } = await aCapture({ fieldList: ['website', 'description'] });
    const sent = { website: 'https://example.com/unnamed', description: 'Call me' };
    const answer = await admin.as(anonymous).post(path(apiKey), sent);
    expect([answer.status, answer.body]).toEqual([200, true]);
  });

  it('accepts pages of every origin and rejects unknown and inactive keys', async () => {
    const { id, apiKey } = await aCapture();
    const form = admin.as(anonymous);
    const target = `/api/v1${path(apiKey)}`;
    const headers = { Origin: 'https://example.com', 'Access-Control-Request-Method': 'POST' };
    expect(await form.send({ method: 'OPTIONS', target, headers })).toMatchObject({
      status: 200,
      text: 'true',
      headers: { 'access-control-allow-methods': 'POST', 'access-control-allow-origin': '*' },
    });
    expect((await admin.put(`/LeadCapture/${id}`, { isActive: false })).status).toBe(200);
    for (const key of [apiKey, id, 'nothing']) {
      expect(await form.post(path(key), { lastName: 'Doe' })).toMatchObject({
        status: 404,
        body: { code: 'lead.capture_unknown' },
      });
      expect((await form.send({ method: 'OPTIONS', target: `/api/v1${path(key)}` })).status).toBe(
        404,
      );
    }
  });

  it('lets administrators see and replace its API key', async () => {
    const { id, apiKey } = await aCapture();
    const renew = '/LeadCapture/action/generateNewApiKey';
    expect((await api.post(renew, { id })).status).toBe(403);
    for (const refused of [
      await api.get(`/LeadCapture/${id}`),
      await api.get('/LeadCapture'),
      await api.post('/LeadCapture', { name: 'Mine' }),
    ]) {
      expect(refused.status).toBe(403);
      expect(refused.text).not.toContain(apiKey);
    }
    const renewed = recordIn(await admin.post(renew, { id }));
    expect(renewed['apiKey']).toMatch(/^[0-9a-f]{32}$/);
    expect(renewed['apiKey']).not.toBe(apiKey);
    const form = admin.as(anonymous);
    expect((await form.post(path(apiKey), { lastName: 'Doe' })).status).toBe(404);
    expect((await form.post(path(renewed['apiKey']), { lastName: 'Doe' })).status).toBe(200);
    expect((await admin.get(`/LeadCapture/${id}/history`)).text).not.toContain(renewed['apiKey']);
    const fixed = await admin.put(`/LeadCapture/${id}`, { apiKey: 'mine', name: 'Other' });
    expect(fixed.body).toMatchObject({ name: 'Other', apiKey: renewed['apiKey'] });
    const wrong = await admin.post('/LeadCapture', { name: 'Form', fieldList: ['campaign'] });
    expect([wrong.status, wrong.body]).toMatchObject([400, { code: 'record.invalid' }]);
  });
});

it('the logout endpoint of older clients returns false for an unknown token', async () => {
  const answer = await admin.post('/App/action/destroyAuthToken', { token: 'nothing' });
  expect([answer.status, answer.body]).toEqual([200, false]);
});

it.each(['KnowledgeBaseArticle', 'EmailTemplate'])(
  'creates, reads and lists records of the type %s',
  async (type) => {
    const { id } = recordIn(await api.post(`/${type}`, { name: 'One', body: '<p>Text</p>' }));
    expect((await api.get(`/${type}/${id}`)).body).toMatchObject({
      name: 'One',
      body: '<p>Text</p>',
    });
    expect((await api.get(`/${type}/layout/list`)).body).toContainEqual({ name: 'status' });
    expect((await api.get('/I18n')).body).toMatchObject({ [type]: { fields: { body: 'Body' } } });
  },
);

describe('a webhook', () => {
  it('is rejected at registration if its URL leads to a forbidden address', async () => {
    for (const [url, type] of [
      ['http://example.org/', 'notInternal'],
      ['https://127.1/', 'notInternal'],
      ['https://[::1]/', 'notInternal'],
      ['https://localhost/', 'notInternal'],
      ['https://a@example.org/', 'valid'],
    ]) {
      const answer = await api.post('/Webhook', { event: 'Account.create', url });
      expect([url, answer.status]).toEqual([url, 400]);
      expect(answer.body).toMatchObject({ errors: [{ field: 'url', type }] });
    }
  });
});

describe('the duplicate check', () => {
  const skip = { 'X-Skip-Duplicate-Check': 'true' };

  it('returns 409 with the existing record unless the client skips the check', async () => {
    const name = 'Twice Ltd';
    const first = recordIn(await api.post('/Account', { name, emailAddress: 'one@twice.example' }));
    const again = await api.post('/Account', { name: 'TWICE ltd' });
    expect([again.status, again.headers['x-status-reason']]).toEqual([409, 'duplicate']);
    expect(again.body).toMatchObject([{ id: first['id'], name }]);
    const byMail = {
      name: 'Other',
      emailAddressData: [{ emailAddress: 'a@b.example' }, { emailAddress: 'ONE@twice.example' }],
    };
    expect((await api.post('/Account', byMail)).status).toBe(409);
    expect((await api.post('/Account', { name }, skip)).status).toBe(200);
    expect((await api.post('/Account', { name, _skipDuplicateCheck: true })).status).toBe(200);
    expect((await api.post('/Contact', { lastName: 'Only' })).status).toBe(200);
    expect((await api.post('/Contact', { lastName: 'only' })).status).toBe(409);
    expect((await api.post('/Contact', { lastName: 'Only', firstName: 'Ann' })).status).toBe(200);
    const person = { firstName: 'Ann', lastName: 'Twice' };
    expect((await api.post('/Contact', person)).status).toBe(200);
    expect((await api.post('/Contact', person)).status).toBe(409);
    expect((await api.post('/Lead', person)).status).toBe(200);
  });

  it('ignores the record of an earlier request with the same Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'made-once' };
    const first = await api.post('/Account', { name: 'Keyed Ltd' }, key);
    const again = await api.post('/Account', { name: 'Keyed Ltd' }, key);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });
});
