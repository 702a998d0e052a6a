import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anonymous, withApiKey, withHmacHex, withPassword } from '../support/credentials.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';

let product: StartedProduct;
let api: ApiClient;
let admin: ApiClient;

beforeAll(async () => {
  product = await startProduct({ env: { ANNALS_TOPIC_PREFIX: `about-${process.pid}` } });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  admin = api.as(withPassword(product.access().admin));
});
afterAll(async () => {
  api.close();
  await product.remove();
});

describe('App/user', () => {
  it('tells every kind of user who they are and what they may do', async () => {
    const { hmac, user, apiKey } = product.access();
    const kinds = [
      [api, apiKey.userName, 'api'],
      [admin, product.access().admin.userName, 'admin'],
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

  it('lists what a role reaches, and its closed fields', async () => {
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

describe('Metadata', () => {
  it('answers the value at a path, or null', async () => {
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

  it('is for those who are logged in, labels and some settings are for all', async () => {
    const stranger = admin.as(anonymous);
    expect((await stranger.get('/Metadata')).status).toBe(401);
    expect((await stranger.get('/I18n')).body).toMatchObject({
      Global: { scopeNames: { TargetList: 'Target List' }, scopeNamesPlural: { Case: 'Cases' } },
      Account: { fields: { billingAddress: 'Billing Address' } },
    });
    expect((await stranger.get('/Settings')).body).toMatchObject({ applicationName: 'Annals' });
    expect((await stranger.get('/Settings')).body).not.toHaveProperty('version');
    expect((await api.get('/Settings')).body).toMatchObject({
      currencyList: ['USD'],
      currencyRates: {},
    });
  });
});

describe('layouts', () => {
  it('have a field as soon as it is made, for those whom it is open to', async () => {
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
});

describe('a webhook', () => {
  it('is not registered for an address that requests must not reach', async () => {
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

describe('a duplicate', () => {
  const skip = { 'X-Skip-Duplicate-Check': 'true' };

  it('of a name or an e-mail address is refused with what there is, unless the client insists', async () => {
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

  it('is not the record that the same key made before', async () => {
    const key = { 'Idempotency-Key': 'made-once' };
    const first = await api.post('/Account', { name: 'Keyed Ltd' }, key);
    const again = await api.post('/Account', { name: 'Keyed Ltd' }, key);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });
});
