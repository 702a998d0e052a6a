import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';

const limit = 300;

let product: StartedProduct;
let admin: ApiClient;

beforeAll(async () => {
  product = await startProduct({
    // Two apis, so that commands are forwarded to the owners of partitions.
    env: {
      ANNALS_API_INSTANCES: '2',
      ANNALS_TOPIC_PREFIX: `mass-${process.pid}`,
      API_MASS_ACTION_LIMIT: `${limit}`,
      WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1:9',
    },
  });
  admin = createApiClient(product.url, withPassword(product.access().admin));
});
afterAll(async () => {
  admin.close();
  await product.remove();
});

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

/** Creates an API user with one role. */
async function userWith(role: object): Promise<{ readonly id: string; readonly api: ApiClient }> {
  const name = unique('u').replace(' ', '');
  const { id: roleId } = recordIn(await admin.post('/Role', { name, ...role }));
  const body = { userName: name, type: 'api', rolesIds: [roleId] };
  const user = recordIn(await admin.post('/User', body));
  return { id: user.id, api: admin.as(withApiKey({ apiKey: String(user['apiKey']) })) };
}

async function makeTasks(count: number, changes: object = {}): Promise<readonly string[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, async () =>
      admin.post('/Task', { name: 'Call', assignedUserId: 'admin', ...changes }),
    ),
  );
  return answers.map((answer) => recordIn(answer).id);
}

const named = (name: string) => ({ where: [{ type: 'equals', attribute: 'name', value: name }] });
const massUpdate = (params: object, values: object, more: object = {}) => ({
  entityType: 'Task',
  action: 'update',
  params,
  data: { values },
  ...more,
});

const versionsOf = async (id: string) =>
  listIn(await admin.get(`/Task/${id}/history?order=asc`)).list.map(({ version }) => version);

const tasksNamed = async (name: string) => {
  const query = new URLSearchParams({ searchParams: JSON.stringify(named(name)) });
  return listIn(await admin.get(`/Task?${query}`)).list;
};

describe('a mass update', () => {
  it('changes each named record by one version', async () => {
    const ids = await makeTasks(5);
    const answer = await admin.post('/MassAction', massUpdate({ ids }, { priority: 'High' }));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({ count: 5, ids });
    for (const id of ids) {
      expect((await admin.get(`/Task/${id}`)).body).toMatchObject({ priority: 'High' });
      expect(await versionsOf(id)).toEqual([1, 2]);
    }
  });

  it('changes all records that match its search, including the latest writes', async () => {
    const name = unique('found');
    await makeTasks(20, { name });
    await Promise.all(
      Array.from({ length: 20 }, async () =>
        admin.post('/Task', { name, assignedUserId: 'admin' }, { Prefer: 'respond-async' }),
      ),
    );
    const answer = await admin.post('/MassAction', massUpdate(named(name), { priority: 'Low' }));
    expect(answer.body).toEqual({ count: 40 });
    const priorities = (await tasksNamed(name)).map(({ priority }) => priority);
    expect(new Set(priorities)).toEqual(new Set(['Low']));
    const none = await admin.post('/MassAction', massUpdate(named('no such'), { priority: 'Low' }));
    expect(none.body).toEqual({ count: 0 });
  });

  it('skips records that are missing, not editable or invalid after the update', async () => {
    const { id, api } = await userWith({
      data: { Task: { ...all, edit: 'own' } },
      massUpdatePermission: 'yes',
    });
    const own = await makeTasks(3, { assignedUserId: id });
    const others = await makeTasks(2);
    const ids = [...own, ...others, 'nothing'];
    const answer = await api.post('/MassAction', massUpdate({ ids }, { priority: 'High' }));
    expect(answer.body).toEqual({ count: 3, ids: own });
    for (const other of others) expect(await versionsOf(other)).toEqual([1]);

    const [due = '', ...free] = await makeTasks(3);
    await admin.put(`/Task/${due}`, { dateStart: '2030-05-05 10:00:00' });
    const early = massUpdate({ ids: [due, ...free] }, { name: null });
    expect((await admin.post('/MassAction', early)).body).toEqual({ count: 0, ids: [] });
  });

  it('loses no change when two run at the same time', async () => {
    const ids = await makeTasks(40);
    const bodies = [{ priority: 'Urgent' }, { description: 'Both' }];
    const answers = await Promise.all(
      bodies.map(async (values) => admin.post('/MassAction', massUpdate({ ids }, values))),
    );
    for (const answer of answers) expect(answer.body).toEqual({ count: 40, ids });
    for (const id of ids) {
      expect(await versionsOf(id)).toEqual([1, 2, 3]);
      expect((await admin.get(`/Task/${id}`)).body).toMatchObject(Object.assign({}, ...bodies));
    }
  });

  it('runs once per Idempotency-Key even if its search now matches other records', async () => {
    const name = unique('keyed');
    await makeTasks(4, { name });
    const key = { 'Idempotency-Key': unique('key') };
    const body = massUpdate(named(name), { name: `${name} done` });
    const first = await admin.post('/MassAction', body, key);
    expect(first.body).toEqual({ count: 4 });
    await makeTasks(2, { name });
    const again = await admin.post('/MassAction', body, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await tasksNamed(name)).toHaveLength(2);
    const other = massUpdate(named(name), { name: 'other' });
    expect((await admin.post('/MassAction', other, key)).status).toBe(422);
  });

  it("is rejected entirely if it has more records than the operator's limit", async () => {
    const name = unique('many');
    for (let made = 0; made <= limit; made += 100) await makeTasks(100, { name });
    const ids = Array.from({ length: limit + 1 }, (_, index) => `t${index}`);
    for (const params of [{ ids }, named(name)]) {
      const answer = await admin.post('/MassAction', massUpdate(params, { priority: 'High' }));
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'mass_action.too_many' });
    }
    const high = (await tasksNamed(name)).filter(({ priority }) => priority === 'High');
    expect(high).toEqual([]);
  });

  it('requires the mass update permission', async () => {
    const { api } = await userWith({ data: { Task: all } });
    const [id = ''] = await makeTasks(1);
    const answer = await api.post('/MassAction', massUpdate({ ids: [id] }, { priority: 'High' }));
    expect(answer.status).toBe(403);
    expect(await versionsOf(id)).toEqual([1]);
  });

  it.each([
    [{}, 400],
    [{ entityType: 'Task' }, 400],
    [{ entityType: 'Task', action: 'update' }, 400],
    [massUpdate({}, {}), 400],
    [massUpdate({ ids: [], where: [] }, {}), 400],
    [massUpdate({ where: [{ type: 'equals', attribute: 'nothing', value: 1 }] }, {}), 400],
    [massUpdate({ ids: ['\u0000'] }, {}), 400],
    [massUpdate({ ids: ['a'] }, { priority: 'Never' }), 400],
    [{ ...massUpdate({ ids: ['a'] }, {}), data: 'all' }, 400],
    [{ ...massUpdate({ ids: ['a'] }, {}), action: 'lock' }, 403],
    [{ ...massUpdate({ ids: ['a'] }, {}), action: 'massLink' }, 404],
    [{ ...massUpdate({ ids: ['a'] }, {}), entityType: 'Nothing' }, 404],
    [{ ...massUpdate({ ids: ['a'] }, {}), entityType: 'Role' }, 403],
    ['[]', 400],
  ])('rejects %j with status %i', async (body, status) => {
    expect((await admin.post('/MassAction', body)).status).toBe(status);
  });
});

describe('a mass deletion', () => {
  it('deletes and counts only the named records', async () => {
    const ids = await makeTasks(3);
    const body = { entityType: 'Task', action: 'delete', params: { ids: [...ids, 'nothing'] } };
    expect((await admin.post('/MassAction', body)).body).toEqual({ count: 3, ids });
    for (const id of ids)
      expect((await admin.get(`/Task/${id}`)).body).toMatchObject({ deleted: true });
    expect((await admin.post('/MassAction', body)).body).toEqual({ count: 0, ids: [] });
  });

  it('requires the permission if it uses a search', async () => {
    const { api } = await userWith({ data: { Task: all } });
    const name = unique('gone');
    await makeTasks(2, { name });
    const body = { entityType: 'Task', action: 'delete', params: named(name) };
    expect((await api.post('/MassAction', body)).status).toBe(403);
    expect((await admin.post('/MassAction', body)).body).toEqual({ count: 2 });
    expect(await tasksNamed(name)).toEqual([]);
  });

  it("also deletes webhooks, but only the caller's own", async () => {
    const { api } = await userWith({
      data: { Task: all, Webhook: true },
      massUpdatePermission: 'yes',
    });
    const url = 'http://127.0.0.1:9/hook';
    const mine = await registerWebhook(api, { event: 'Task.update', url });
    const other = await registerWebhook(admin, { event: 'Task.update', url });
    const body = {
      entityType: 'Webhook',
      action: 'update',
      params: { ids: [mine.id, other.id] },
      data: { values: { isActive: false } },
    };
    expect((await api.post('/MassAction', body)).body).toEqual({ count: 1, ids: [mine.id] });
    expect((await admin.get(`/Webhook/${other.id}`)).body).toMatchObject({ isActive: true });
    const search = { ...body, action: 'delete', params: { where: [] } };
    expect((await api.post('/MassAction', search)).body).toEqual({ count: 1 });
    expect((await admin.get(`/Webhook/${other.id}`)).status).toBe(200);
  });
});

describe('following many records', () => {
  const follow = (action: string, params: object) => ({ entityType: 'Task', action, params });

  it('follows records with a readable stream and leaves the records unchanged', async () => {
    const { id, api } = await userWith({ data: { Task: { ...all, stream: 'own' } } });
    const own = await makeTasks(3, { assignedUserId: id });
    const others = await makeTasks(2);
    const ids = [...own, ...others, 'nothing'];
    expect((await api.post('/MassAction', follow('unfollow', { ids }))).body).toEqual({
      count: 3,
      ids: own,
    });
    const isFollowed = async (task: string) =>
      recordIn(await api.get(`/Task/${task}`))['isFollowed'];
    for (const task of own) expect(await isFollowed(task)).toBe(false);
    const name = unique('followed');
    await makeTasks(4, { name, assignedUserId: id });
    await api.post('/MassAction', follow('unfollow', named(name)));
    const answer = await api.post('/MassAction', follow('follow', named(name)));
    expect(answer.body).toEqual({ count: 4 });
    for (const task of await tasksNamed(name)) {
      expect(await isFollowed(task.id)).toBe(true);
      expect(await versionsOf(task.id)).toEqual([1]);
    }
    const none = await userWith({ data: { Task: { ...all, stream: 'no' } } });
    expect((await none.api.post('/MassAction', follow('follow', { ids }))).status).toBe(403);
  });

  it('is rejected for entity types without a stream', async () => {
    const body = { entityType: 'Webhook', action: 'follow', params: { ids: [] } };
    expect((await admin.post('/MassAction', body)).status).toBe(403);
  });
});

describe('a mass action that runs in the background', () => {
  it('reports its status by id only to its user', async () => {
    const ids = await makeTasks(10);
    const body = massUpdate({ ids }, { priority: 'High' }, { idle: true });
    const { id } = recordIn(await admin.post('/MassAction', body));
    const status = `/MassAction/${id}/status`;
    await eventually(async () =>
      expect((await admin.get(status)).body).toEqual({
        status: 'Success',
        processedCount: 10,
        recordCount: 10,
        skipped: [],
      }),
    );
    expect((await admin.post(`/MassAction/${id}/subscribe`)).body).toBe(true);
    const { api } = await userWith({ data: { Task: all } });
    expect((await api.get(status)).status).toBe(403);
    expect((await api.post(`/MassAction/${id}/subscribe`)).status).toBe(403);
    for (const unknown of ['nothing', '%00']) {
      expect((await admin.get(`/MassAction/${unknown}/status`)).status).toBe(404);
    }
  });

  it('is not accessible as a record', async () => {
    const { id } = recordIn(
      await admin.post('/MassAction', massUpdate({ ids: [] }, {}, { idle: true })),
    );
    // The path exists only to start one.
    expect((await admin.get('/MassAction')).status).toBe(405);
    for (const path of [`/${id}`, `/${id}/history`]) {
      expect((await admin.get(`/MassAction${path}`)).status, path).toBe(404);
    }
    expect((await admin.put(`/MassAction/${id}`, { status: 'Failed' })).status).toBe(404);
    expect((await admin.delete(`/MassAction/${id}`)).status).toBe(404);
    for (const path of ['/Metadata', '/I18n', '/App/user']) {
      expect((await admin.get(path)).text, path).not.toContain('MassAction');
    }
    const role = { name: unique('role'), data: { MassAction: all } };
    expect((await admin.post('/Role', role)).status).toBe(400);
  });

  it('is completed once when the process dies during the run', {
    timeout: 360_000,
  }, async () => {
    const ids = await makeTasks(limit);
    const body = massUpdate({ ids }, { description: 'Whole' }, { idle: true });
    const { id } = recordIn(await admin.post('/MassAction', body));
    await sleep(25);
    for (const api of ['api', 'api2']) product.kill(api);
    for (const api of ['api', 'api2']) await product.waitUntilReady(api);
    const changed = (await Promise.all(ids.map(versionsOf))).filter(({ length }) => length > 1);
    expect(changed.length, 'it completed before the crash').toBeLessThan(limit);
    await eventually(
      async () =>
        expect((await admin.get(`/MassAction/${id}/status`)).body).toEqual({
          status: 'Success',
          processedCount: limit,
          recordCount: limit,
          skipped: [],
        }),
      { timeoutMs: 90_000, intervalMs: 1_000 },
    );
    for (const one of ids) expect(await versionsOf(one)).toEqual([1, 2]);
  });

  it('undoes every record once after a crash and keeps later changes', {
    timeout: 360_000,
  }, async () => {
    const ids = await makeTasks(limit);
    const [changedSince = '', ...others] = ids;
    const update = massUpdate({ ids }, { description: 'Wrong' }, { idle: true });
    const { id: changeId } = recordIn(await admin.post('/MassAction', update));
    const status = async (id: string) => (await admin.get(`/MassAction/${id}/status`)).body;
    await eventually(async () =>
      expect(await status(changeId)).toMatchObject({ status: 'Success' }),
    );
    await admin.put(`/Task/${changedSince}`, { description: 'Right' });
    const undo = { changeId: `MassAction/${changeId}`, idle: true };
    const { id } = recordIn(await admin.post('/Undo', undo));
    await sleep(25);
    for (const api of ['api', 'api2']) product.kill(api);
    for (const api of ['api', 'api2']) await product.waitUntilReady(api);
    await eventually(
      async () =>
        expect(await status(id)).toEqual({
          status: 'Success',
          processedCount: limit - 1,
          recordCount: limit,
          skipped: [{ reason: 'undo.changed_since', count: 1, ids: [`Task/${changedSince}`] }],
        }),
      { timeoutMs: 90_000, intervalMs: 1_000 },
    );
    expect((await admin.get(`/Task/${changedSince}`)).body).toMatchObject({ description: 'Right' });
    for (const one of others) expect(await versionsOf(one)).toEqual([1, 2, 3]);
    const left = { where: [{ type: 'equals', attribute: 'description', value: 'Wrong' }] };
    const query = new URLSearchParams({ searchParams: JSON.stringify(left) });
    expect(listIn(await admin.get(`/Task?${query}`)).total).toBe(0);
  });
});
