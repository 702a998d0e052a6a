import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { withoutFollowing } from '../support/proofs/without-following.ts';

let annals: StartedAnnals;
let api: ApiClient;
let admin: ApiClient;

beforeAll(async () => {
  annals = await startAnnals({ env: { WEBHOOK_ALLOWED_ADDRESSES: 'example.com:443' } });
  api = createApiClient(annals.url, withApiKey(annals.apiKey));
  admin = api.as(withPassword(annals.admin));
});

afterAll(async () => {
  api?.close();
  await annals?.stop();
});

interface Entry {
  readonly version: number;
  readonly type: string;
  readonly byId: string;
  readonly changes: readonly { readonly attribute: string }[];
}

const historyOf = async (client: ApiClient, path: string) =>
  (await client.get(`${path}/history`)).body as { total: number; list: readonly Entry[] };

/** Waits between two events so that they have different times. */
const aMoment = async (): Promise<string> => {
  await sleep(5);
  const time = new Date().toISOString();
  await sleep(5);
  return time;
};

describe('the history of a record', () => {
  it('lists every change with its author, newest first', async () => {
    const { id } = recordIn(await api.post('/Account', { name: 'One', type: 'Partner' }));
    await admin.put(`/Account/${id}`, { name: 'Two' });
    const { total, list } = await historyOf(api, `/Account/${id}`);

    expect(total).toBe(2);
    expect(list[0]).toMatchObject({
      version: 2,
      type: 'updated',
      byId: 'admin',
      changes: [{ attribute: 'name', before: 'One', after: 'Two' }],
    });
    expect(list[1]).toMatchObject({ version: 1, type: 'created', byId: 'api-key' });
    const page = await api.get(`/Account/${id}/history?order=asc&maxSize=1&offset=1`);
    expect(page.body).toMatchObject({ total: 2, list: [{ version: 2 }] });
  });

  it('is visible only to administrators once the record is deleted', async () => {
    const { id } = recordIn(await api.post('/Account', { name: 'Gone' }));
    await api.delete(`/Account/${id}`);

    expect((await api.get(`/Account/${id}/history`)).status).toBe(404);
    const { list } = await historyOf(admin, `/Account/${id}`);
    expect(list.map(({ type }) => type)).toEqual(['deleted', 'created']);
  });

  it('continues after an administrator restores the record', async () => {
    const { id } = recordIn(await api.post('/Account', { name: 'Back', website: 'x.example' }));
    const total = async () => (await api.get('/Account')).body as { readonly total: number };
    const before = await total();
    const restore = (client: ApiClient, body: object, headers = {}) =>
      client.post('/Account/action/restoreDeleted', body, headers);
    expect((await restore(admin, { id })).status).toBe(409);
    await admin.delete(`/Account/${id}`);
    const gone = await aMoment();
    expect((await restore(api, { id })).status).toBe(403);
    expect((await restore(admin, {})).status).toBe(400);
    expect((await restore(admin, { id: 'nobody' })).status).toBe(404);
    expect((await restore(admin, { id }, { 'If-Match': '"v1"' })).status).toBe(412);
    const key = { 'Idempotency-Key': `restore-${id}` };
    expect(await restore(admin, { id }, key)).toMatchObject({ status: 200, text: 'true' });
    expect((await restore(admin, { id }, key)).headers['idempotency-replayed']).toBe('true');
    expect((await restore(admin, { id })).status).toBe(409);

    expect((await api.get(`/Account/${id}`)).body).toMatchObject({
      name: 'Back',
      website: 'x.example',
      deleted: false,
    });
    expect(await total()).toMatchObject({ total: before.total });
    const { list } = await historyOf(api, `/Account/${id}`);
    expect(list.map(({ type }) => type)).toEqual(['restored', 'deleted', 'created']);
    expect((await api.get(`/Account/${id}?asOf=${encodeURIComponent(gone)}`)).status).toBe(404);
    expect((await api.put(`/Account/${id}`, { name: 'Alive' })).status).toBe(200);
  });

  it('continues for a restored user with the same API key unless the name is taken', async () => {
    const body = { type: 'api', userName: 'came.back' };
    const { id, apiKey } = recordIn(await admin.post('/User', body));
    const user = api.as(withApiKey({ apiKey: String(apiKey) }));
    const restore = () => admin.post('/User/action/restoreDeleted', { id });
    await admin.delete(`/User/${id}`);
    expect((await user.get('/App/user')).status).toBe(401);
    const other = recordIn(await admin.post('/User', body));
    const refused = await restore();
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'user.name_exists' }]);
    await admin.delete(`/User/${other['id']}`);
    expect((await restore()).text).toBe('true');
    expect((await user.get('/App/user')).body).toMatchObject({ user: { id } });
    const webhook = { event: 'Account.create', url: 'https://example.com/back' };
    const { id: webhookId } = recordIn(await api.post('/Webhook', webhook));
    await api.delete(`/Webhook/${webhookId}`);
    const anew = await admin.post('/Webhook/action/restoreDeleted', { id: webhookId });
    expect([anew.status, anew.body]).toMatchObject([404, { code: 'action.unknown' }]);
  });

  it('never contains secrets, even sealed ones', async () => {
    const body = { event: 'Account.create', url: 'https://example.com/history' };
    const { id, secretKey } = recordIn(await api.post('/Webhook', body));
    const answers = [
      await api.get(`/Webhook/${id}/history`),
      await admin.get(`/Webhook/${id}/history`),
      await admin.get('/User/api-hmac/history'),
      await admin.get('/User/user/history'),
    ];

    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toMatch(/secretKey|passwordHash|apiKeyHash|"apiKey"/);
      expect(text).not.toContain(String(secretKey));
    }
  });

  it('cannot be read by users who may not read the record', async () => {
    expect((await api.get('/Role/role-full-access/history')).status).toBe(403);
    expect((await api.get('/Account/nothing/history')).status).toBe(404);
    expect((await api.get('/Account/nothing/history?maxSize=201')).status).toBe(403);
  });
});

describe('a record as of a time', () => {
  it('has its values from that time', async () => {
    const before = await aMoment();
    const { id } = recordIn(await api.post('/Contact', { firstName: 'Ada', lastName: 'One' }));
    const first = await aMoment();
    await api.put(`/Contact/${id}`, { lastName: 'Two' });
    const second = await aMoment();
    const at = async (time: string) => api.get(`/Contact/${id}?asOf=${encodeURIComponent(time)}`);

    expect((await at(before)).status).toBe(404);
    expect(recordIn(await at(first))).toMatchObject({ lastName: 'One', name: 'Ada One' });
    expect((await at(first)).headers['etag']).toBe('"v1"');
    expect(withoutFollowing(recordIn(await at(second)))).toEqual(
      withoutFollowing(recordIn(await api.get(`/Contact/${id}`))),
    );
    await api.delete(`/Contact/${id}`);
    expect((await at(first)).status).toBe(404);
    const asAdmin = await admin.get(`/Contact/${id}?asOf=${encodeURIComponent(first)}`);
    expect(recordIn(asAdmin)).toMatchObject({ lastName: 'One', deleted: false });
  });

  it('has the links from that time', async () => {
    const { id: accountId } = recordIn(await api.post('/Account', { name: 'Then' }));
    const linked = { lastName: 'Linked', accountsIds: [accountId] };
    const { id } = recordIn(await api.post('/Contact', linked));
    const before = await aMoment();
    await api.put(`/Contact/${id}`, { lastName: 'Renamed', accountsIds: [] });
    const path = `/Account/${accountId}/contacts`;
    const at = async (time: string) => (await api.get(`${path}?asOf=${time}`)).body;

    expect(await at(before)).toMatchObject({ total: 1, list: [{ id, name: 'Linked' }] });
    expect(await at(await aMoment())).toEqual({ total: 0, list: [] });
    expect((await api.get(path)).body).toMatchObject({ total: 0 });
  });

  it('rejects an invalid time and is not supported by lists', async () => {
    const { id } = recordIn(await api.post('/Account', { name: 'Now' }));

    for (const path of [`/Account/${id}?asOf=yesterday`, '/Account?asOf=2026-01-01T00:00:00Z']) {
      expect((await api.get(path)).status).toBe(400);
    }
  });
});

describe('If-None-Match', () => {
  it('returns 304 without a body while the record is unchanged', async () => {
    const { id } = recordIn(await api.post('/Account', { name: 'Same' }));
    const read = async (tag: string) => api.get(`/Account/${id}`, { 'If-None-Match': tag });
    const same = await read('W/"v1", "other"');

    expect(same.status).toBe(304);
    expect(same.text).toBe('');
    expect(same.headers['etag']).toBe('"v1"');
    expect((await read('*')).status).toBe(304);
    expect((await read('"v2"')).status).toBe(200);
    expect((await read('no tag')).status).toBe(200);
    await api.put(`/Account/${id}`, { name: 'Other' });
    expect((await read('"v1"')).status).toBe(200);
  });
});
