import { execFile } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readProjectFile } from '../contract/source-files.ts';
import {
  type ApiAnswer,
  type ApiClient,
  createApiClient,
  recordIn,
} from '../support/api-client.ts';
import { aContact, anAccount } from '../support/builders/record-builders.ts';
import { anonymous, withApiKey, withEspo, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';
import { createDescribedApi, type DescribedApi } from '../support/proofs/described-answers.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';

let product: StartedProduct;
let api: ApiClient;
let admin: ApiClient;
let subscriber: Subscriber;
let described: DescribedApi;

beforeAll(async () => {
  subscriber = await startSubscriber();
  product = await startProduct({
    env: {
      API_CUSTOM_PREFIX: 'taken',
      API_RATE_LIMIT: '1000',
      WEBHOOK_QUEUE_INTERVAL: '1s',
      WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
    },
  });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  admin = api.as(withPassword(product.access().admin));
  const field = { name: 'score', type: 'int', label: 'Score' };
  expect((await admin.post('/Admin/fieldManager/Account', field)).status).toBe(200);
  described = createDescribedApi((await admin.get('/OpenApi')).text);
});

afterAll(async () => {
  api?.close();
  await product?.remove();
  await subscriber?.close();
});

/** Checks a response against the document, and returns it. */
async function check(operation: string, answer: Promise<ApiAnswer>, status = 200) {
  const [method = '', path = ''] = operation.split(' ');
  const got = await answer;
  expect([operation, got.status, got.text.slice(0, 200)]).toEqual([
    operation,
    status,
    expect.anything(),
  ]);
  expect([operation, ...described.problemsOf(method, path, got)]).toEqual([operation]);
  return got;
}

const asProblem = { Accept: 'application/problem+json' };

describe('the OpenAPI document', () => {
  it('matches the responses for writing and reading records', async () => {
    const body = anAccount({ score: 7 });
    const key = { 'Idempotency-Key': 'described-once' };
    const made = recordIn(await check('post /Account', api.post('/Account', body, key)));
    await check('post /Account', api.post('/Account', body, key));
    const at = `/Account/${made.id}`;
    const read = await check('get /Account/{id}', api.get(at));
    expect(recordIn(read)['score']).toBe(7);
    const etag = { 'If-None-Match': String(read.headers['etag']) };
    await check('get /Account/{id}', api.get(at, etag), 304);
    await check('patch /Account/{id}', api.patch(at, { type: 'Partner' }));
    await check(
      'put /Account/{id}',
      api.put(at, { sicCode: '1' }, { Prefer: 'return=minimal' }),
      204,
    );
    await check('get /Account', api.get('/Account?maxSize=5'));
    await check('get /Account', api.get('/Account?select=name,teamsIds&orderBy=name'));
    await check('get /Account/{id}/history', api.get(`${at}/history`));

    const contact = recordIn(
      await check('post /Contact', api.post('/Contact', aContact({ accountId: made.id }))),
    );
    await check('get /Account/{id}/contacts', api.get(`${at}/contacts`));
    const ids = { ids: [contact.id] };
    await check('post /Account/{id}/contacts', api.post(`${at}/contacts`, ids));
    await check('get /Contact/{id}/accounts', api.get(`/Contact/${contact.id}/accounts`));
    await check('delete /Account/{id}', api.delete(at));
    await check('get /Account/{id}', admin.get(at));
  });

  it('matches the responses for creating an example of every entity type', async () => {
    const { components } = JSON.parse((await admin.get('/OpenApi')).text);
    const names = Object.keys(components.schemas).filter((name) => name.endsWith('_create'));
    expect(names.length).toBeGreaterThan(12);
    const parent = recordIn(await admin.post('/Account', { name: 'Parent of examples' }));
    const file = {
      name: 'a.txt',
      relatedType: 'Document',
      field: 'file',
      file: 'data:;base64,aGk=',
    };
    const fileId = recordIn(await admin.post('/Attachment', file)).id;
    for (const schema of names) {
      const name = schema.replace('_create', '');
      const [example] = components.schemas[schema].examples;
      const links = {
        assignedUserId: 'user',
        fileId,
        url: subscriber.url('/examples'),
        parentType: 'Account',
        parentId: parent.id,
      };
      // An upload has no parent yet, only the field that it is for.
      const isLinked = name !== 'Attachment';
      const known = Object.entries(links).filter(([attribute]) => isLinked && attribute in example);
      const body = { ...example, ...Object.fromEntries(known) };
      const status = name === 'Webhook' ? 201 : 200;
      const skip = { 'X-Skip-Duplicate-Check': 'true' };
      const made = await check(`post /${name}`, admin.post(`/${name}`, body, skip), status);
      await check(`get /${name}/{id}`, admin.get(`/${name}/${recordIn(made).id}`));
      await check(`get /${name}`, admin.get(`/${name}`));
    }
  });

  it('matches the responses of record-related routes and of currencies', async () => {
    const { id } = recordIn(await admin.post('/Account', anAccount()));
    const at = `/Account/${id}`;
    const about = { parentType: 'Account', parentId: id };
    const dates = { dateStart: '2035-01-31 10:00:00', dateEnd: '2035-01-31 11:00:00' };
    await admin.post('/Meeting', { name: 'Talk', assignedUserId: 'admin', ...dates, ...about });
    const note = `/Note/${recordIn(await admin.post('/Note', { ...about, post: 'x' })).id}`;
    await check('post /Note/{id}/pin', admin.post(`${note}/pin`));
    await check('delete /Note/{id}/pin', admin.delete(`${note}/pin`));
    const like = `${note}/myReactions/Like`;
    await check('post /Note/{id}/myReactions/{type}', admin.post(like));
    await check('get /Account/{id}/stream', admin.get(`${at}/stream`));
    await check('get /GlobalStream', admin.get('/GlobalStream?maxSize=5'));
    await check('get /GlobalStream', api.get('/GlobalStream'), 403);
    const activities = `/Activities${at}`;
    for (const which of ['activities', 'history']) {
      await check(`get /Activities/Account/{id}/${which}`, admin.get(`${activities}/${which}`));
      const meetings = `${which}/list/Meeting`;
      await check(
        `get /Activities/Account/{id}/${meetings}`,
        admin.get(`${activities}/${meetings}`),
      );
    }
    await check('get /Activities/upcoming', admin.get('/Activities/upcoming?futureDays=366'));
    const days = 'from=2035-01-31&to=2035-02-01';
    await check('get /Activities', admin.get(`/Activities?${days}&scopeList=Meeting,Task`));
    await check('get /Activities', admin.get('/Activities?from=x'), 400);
    await check('get /Timeline', admin.get(`/Timeline?${days}&userIdList=admin`));
    await check('get /Account/{id}/usersAccess', admin.get(`${at}/usersAccess`));
    await check('put /CurrencyRate', admin.put('/CurrencyRate', { EUR: 1.1 }));
    await check('put /CurrencyRate', admin.put('/CurrencyRate', { EUR: 0 }), 400);
    await check('get /CurrencyRate', admin.get('/CurrencyRate'));
    const list = recordIn(await admin.post('/TargetList', { name: 'Described' })).id;
    const search = { massRelate: true, where: [{ type: 'equals', attribute: 'id', value: id }] };
    await check(
      'post /TargetList/{id}/accounts',
      admin.post(`/TargetList/${list}/accounts`, search),
    );
    await check('post /Account/{id}/contacts', admin.post(`${at}/contacts`, search), 403);
  });

  it('matches the responses for rejected requests', async () => {
    const account = '/Account';
    for (const headers of [{}, asProblem]) {
      await check('post /Account', api.post(account, {}, headers), 400);
      await check('post /Account', api.post(account, '{', headers), 400);
      await check('get /Account', api.get(`${account}?where[0][type]=x`, headers), 400);
      await check('get /Account', api.get(`${account}?maxSize=201`, headers), 403);
      await check('get /Account', api.as(anonymous).get(account, headers), 401);
      await check('get /Role', api.get('/Role', headers), 403);
      await check('get /Account/{id}', api.get('/Account/nobody', headers), 404);
      const webhook = { event: 'Account.nothing', url: 'x' };
      await check('post /Webhook', api.post('/Webhook', webhook, headers), 400);
    }
    const name = 'Twice described';
    const { id } = recordIn(await api.post(account, { name }));
    await check('post /Account', api.post(account, { name }), 409);
    await check('post /Account', api.post(account, { name }, asProblem), 409);
    const versions = { 'X-Version-Number': '9' };
    await check('patch /Account/{id}', api.patch(`/Account/${id}`, { name: 'x' }, versions), 409);
    const tags = { 'If-Match': '"v9"' };
    await check('put /Account/{id}', api.put(`/Account/${id}`, { name: 'x' }, tags), 412);
  });

  it('matches the responses about users, definitions and the installation', async () => {
    const { user } = product.access();
    const login = api.as(withEspo({ userName: user.userName, secret: user.password }));
    for (const one of [api, admin, login]) await check('get /App/user', one.get('/App/user'));
    const { id: adminId } = Object(Object((await admin.get('/App/user')).body)['user']);
    const preferences = `/Preferences/${adminId}`;
    await check('get /Preferences/{id}', admin.get(preferences));
    await check('get /Preferences/{id}', api.get(preferences), 403);
    await check('put /Preferences/{id}', admin.put(preferences, { weekStart: 1 }));
    await check('put /Preferences/{id}', admin.put(preferences, { weekStart: 9 }), 400);
    await check('delete /Preferences/{id}', admin.delete(preferences));
    const reset = '/Preferences/action/resetDashboard';
    await check(`post ${reset}`, admin.post(reset, { id: adminId }));
    await check('get /Notification', admin.get('/Notification?maxSize=2'));
    await check('get /Notification', admin.get('/Notification?textFilter=a'), 400);
    const notReadCount = '/Notification/action/notReadCount';
    await check(`get ${notReadCount}`, admin.get(notReadCount));
    const markAllRead = '/Notification/action/markAllRead';
    await check(`post ${markAllRead}`, admin.post(markAllRead, {}));
    await check('delete /Notification/{id}', admin.delete('/Notification/one.2'));
    await check('delete /Notification/{id}', admin.delete('/Notification/a%20b'), 404);
    await check('get /Kanban/Lead', api.get('/Kanban/Lead?maxSize=1'));
    const order = { entityType: 'Lead', group: 'New', ids: [] };
    await check('put /Kanban/order', api.put('/Kanban/order', order));
    await check('put /Kanban/order', api.put('/Kanban/order', { ...order, group: 'x' }), 403);
    await check('get /UserSecurity/totp', admin.get('/UserSecurity/totp'));
    await check('get /UserSecurity/sessions', admin.get('/UserSecurity/sessions'));
    const session = 'delete /UserSecurity/sessions/{id}';
    await check(session, admin.delete('/UserSecurity/sessions/none'), 404);
    const recoveryCodes = '/UserSecurity/totp/recoveryCodes';
    const { password } = product.access().admin;
    await check(`post ${recoveryCodes}`, admin.post(recoveryCodes, { password }), 409);
    await check('get /', api.get(''));
    await check('get /Metadata', api.get('/Metadata?key=entityDefs.Lead'));
    for (const name of ['list', 'detail', 'detailSmall', 'filters', 'relationships']) {
      await check(`get /Account/layout/${name}`, admin.get(`/Account/layout/${name}`));
    }
    await check('get /Role/layout/list', api.get('/Role/layout/list'), 403);
    await check('get /I18n', api.get('/I18n'));
    await check('get /Settings', api.as(anonymous).get('/Settings'));
    const scoreAt = '/Admin/fieldManager/Account/score';
    await check('get /Admin/fieldManager/{scope}/{name}', admin.get(scoreAt));
    await check('get /OpenApi', admin.get('/OpenApi?skipCustom=true'));
    await check('get /OpenApi', admin.get('/OpenApi?module=Sales'), 400);
  });

  it('matches the requests to webhooks', async () => {
    const url = subscriber.url('/described');
    for (const event of ['create', 'update', 'delete', 'fieldUpdate.name']) {
      const body = { event: `Account.${event}`, url };
      await check('post /Webhook', api.post('/Webhook', body), 201);
    }
    await check('get /Webhook', api.get('/Webhook'));
    const { id } = recordIn(await api.post('/Account', anAccount()));
    await api.put(`/Account/${id}`, { name: 'Another name' });
    await api.delete(`/Account/${id}`);
    await eventually(() => expect(subscriber.requests('/described')).toHaveLength(4));
    for (const request of subscriber.requests('/described')) {
      const event = String(request.headers['x-webhook-event']).replace('.name', '');
      expect([event, ...described.problemsOfWebhook(event, request)]).toEqual([event]);
    }
  });
});

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: unknown;
  readonly schema?: { readonly default?: unknown };
  readonly content?: Readonly<Record<string, { readonly example?: unknown }>>;
}

/** Fills in a form as the page does, which would invent an object without an example. */
function filledIn({ name, example, schema, content }: Parameter): readonly string[] {
  const json = content?.['application/json'];
  const value = json === undefined ? (example ?? schema?.default) : JSON.stringify(json.example);
  return value === undefined && json === undefined
    ? []
    : [`${name}=${encodeURIComponent(String(value))}`];
}

describe('the documentation routes', () => {
  it('are accessible to administrators and to roles with the scope OpenApi', async () => {
    const role = { name: 'Reads documents', data: { OpenApi: true, Account: { read: 'own' } } };
    const { id } = recordIn(await admin.post('/Role', role));
    const made = await admin.post('/User', { userName: 'reader', type: 'api', rolesIds: [id] });
    const reader = api.as(withApiKey({ apiKey: String(recordIn(made)['apiKey']) }));
    const asyncApi = (one: ApiClient, headers: Readonly<Record<string, string>>) =>
      one.send({ method: 'GET', target: '/api/asyncapi.json', headers });

    const own = await check('get /OpenApi', reader.get('/OpenApi'));
    expect(Object(own.body).paths).toHaveProperty('/Account');
    expect(own.text).not.toContain('schemas/Contact');
    await check('get /OpenApi', api.get('/OpenApi'), 403);
    await check('get /OpenApi', api.as(anonymous).get('/OpenApi'), 401);
    const key = { 'X-Api-Key': product.access().apiKey.apiKey };
    await check('get /asyncapi.json', asyncApi(api, key), 403);
    await check('get /asyncapi.json', asyncApi(api, {}), 401);
    const readerKey = { 'X-Api-Key': String(recordIn(made)['apiKey']) };
    await check('get /asyncapi.json', asyncApi(api, readerKey));
  });

  it('prefill the forms of the page with examples for every list', async () => {
    const { paths, components } = JSON.parse((await admin.get('/OpenApi')).text);
    const lists = Object.keys(paths).filter((path) => path.slice(1) in components.schemas);
    expect(lists.length).toBeGreaterThan(12);
    for (const path of lists) {
      const parameters: readonly Parameter[] = paths[path].get.parameters.map(
        (one: { readonly $ref?: string }) =>
          components.parameters[one.$ref?.split('/').at(-1) ?? ''] ?? one,
      );
      const query = parameters.filter((one) => one.in === 'query').flatMap(filledIn);
      await check(`get ${path}`, admin.get(`${path}?${query.join('&')}`));
    }
  });

  it('serve a page that loads nothing from other hosts', async () => {
    const load = (target: string) => api.send({ method: 'GET', target });
    const page = await load('/api/docs');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const links = [...page.text.matchAll(/(?:src|href)=["']([^"'#]+)["']/g)].map(([, to]) => to);
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) {
      const asset = await load(String(link));
      expect([link, asset.status]).toEqual([link, 200]);
      expect(asset.headers['content-type']).toMatch(/^(?:text\/css|.*javascript|image\/png)/);
    }
    const script = (await load('/api/docs/swagger-ui-init.js')).text;
    expect(script).toContain('loadWhenAuthorized');
    expect(script).not.toMatch(/https?:\/\//);
    const pid = product.access().processes['api'];
    for (const target of [
      '/api/docs/?x=%ff',
      '/api/docs/swagger-ui.css?%',
      '/api/docs?url=//a.b',
    ]) {
      expect([target, (await load(target)).status]).toEqual([target, 200]);
    }
    expect(product.access().processes['api']).toBe(pid);
    expect((await load('/api/docs/index.html')).status).toBe(404);
    expect((await load('/api/docs/package.json')).status).toBe(404);
  });
});

it('every example of docs/reference/api.md runs', async () => {
  const document = readProjectFile('docs/reference/api.md');
  const blocks = [...document.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  expect(blocks.length).toBeGreaterThan(5);
  const cwd = makeTestDirectory();
  symlinkSync(product.dataDir, join(cwd, '.annals'));
  const script = ['set -euo pipefail', ...blocks].join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd });
  rmSync(cwd, { recursive: true });
  const lines = stdout.trimEnd().split('\n');
  const [contactId] = lines.slice(6);
  expect(contactId).toMatch(/^[0-9a-f]{17}$/);
  expect(lines).toEqual([
    product.access().apiKey.userName,
    'Guide Ltd',
    'Customer',
    '1',
    '6021',
    'record.version_differs',
    contactId,
    contactId,
    'name,emailAddress',
    'createAccount',
  ]);
});
