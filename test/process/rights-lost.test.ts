import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiAnswer,
  type ApiClient,
  createApiClient,
  listIn,
  recordIn,
} from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { type SlowProjection, slowProjection } from '../support/harness/slow-projection.ts';

const count = 300;
const patience = { timeoutMs: 60_000, intervalMs: 100 };

let product: StartedProduct;
let admin: ApiClient;
let slow: SlowProjection | undefined;

beforeAll(async () => {
  product = await startProduct({
    // Two apis, so that a user who acts at one is deactivated at the other.
    env: { ANNALS_API_INSTANCES: '2', ANNALS_TOPIC_PREFIX: `lost-${process.pid}` },
  });
  admin = createApiClient(product.url, withPassword(product.access().admin));
});
afterEach(async () => {
  await slow?.close();
  slow = undefined;
});
afterAll(async () => {
  admin.close();
  await product.remove();
});

const slowDown = async (entityType: string) => {
  slow = await slowProjection(product.access().postgres.url, entityType);
};

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };

interface User {
  readonly id: string;
  readonly roleId: string;
  readonly api: ApiClient;
}

async function newUser(): Promise<User> {
  const name = unique('u').replace(' ', '');
  const role = { data: { Task: all, Account: all, TargetList: all }, massUpdatePermission: 'yes' };
  const { id: roleId } = recordIn(await admin.post('/Role', { name, ...role }));
  const body = { userName: name, type: 'api', rolesIds: [roleId] };
  const user = recordIn(await admin.post('/User', body));
  return {
    id: user.id,
    roleId,
    api: admin.as(withApiKey({ apiKey: String(user['apiKey']) })),
  };
}

async function makeTasks(assignedUserId: string): Promise<readonly string[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, async () =>
      admin.post('/Task', { name: 'Call', assignedUserId }),
    ),
  );
  return answers.map((answer) => recordIn(answer).id);
}

/** Starts a mass action that runs slowly. */
async function begin({ id, api }: User, more: object = {}) {
  const ids = await makeTasks(id);
  await slowDown('Task');
  const body = {
    entityType: 'Task',
    action: 'update',
    params: { ids },
    data: { values: { priority: 'High' } },
    idle: true,
    ...more,
  };
  const started = await api.post('/MassAction', body);
  expect(started.status, started.text).toBe(200);
  return { ids, path: `/MassAction/${recordIn(started).id}` };
}

interface Status {
  readonly status: string;
  readonly processedCount: number;
}
const toStatus = ({ body }: ApiAnswer) => body as Status;

async function untilMassActionEnded(path: string) {
  return eventually(async () => {
    const status = toStatus(await admin.get(`${path}/status`));
    expect(status.status).not.toBe('Running');
    return status;
  }, patience);
}

async function countChanged(ids: readonly string[]): Promise<number> {
  const answers = await Promise.all(ids.map(async (id) => admin.get(`/Task/${id}`)));
  return answers.filter((answer) => recordIn(answer)['priority'] === 'High').length;
}

describe('a mass action', () => {
  it.each<[string, string, (user: User) => Promise<unknown>]>([
    [
      'was deactivated',
      'user.inactive',
      async ({ id }) => admin.put(`/User/${id}`, { isActive: false }),
    ],
    ['was deleted', 'user.inactive', async ({ id }) => admin.delete(`/User/${id}`)],
    [
      'lost the permission',
      'mass_action.denied',
      async ({ roleId }) => admin.put(`/Role/${roleId}`, { massUpdatePermission: 'no' }),
    ],
    [
      'lost edit access',
      'access.denied',
      async ({ roleId }) => admin.put(`/Role/${roleId}`, { data: { Task: { read: 'all' } } }),
    ],
  ])('stops and reports its progress when its user %s', async (_, reason, lose) => {
    const user = await newUser();
    const { ids, path } = await begin(user);
    await lose(user);
    const status = await untilMassActionEnded(path);
    expect(status).toMatchObject({ status: 'Stopped', reason });
    expect(status.processedCount).toBeLessThan(count);
    await slow?.close();
    slow = undefined;
    expect(await countChanged(ids)).toBe(status.processedCount);
  });

  it('skips records and reports the reason once its field is closed', async () => {
    const user = await newUser();
    const { ids, path } = await begin(user);
    const fieldData = { Task: { priority: { read: 'yes', edit: 'no' } } };
    await admin.put(`/Role/${user.roleId}`, { fieldData });
    const before = await countChanged(ids);
    const status = await untilMassActionEnded(path);
    const { processedCount } = status;
    const skipped = [{ reason: 'access.denied', count: count - processedCount }];
    expect(status).toMatchObject({ status: 'Success', skipped });
    await slow?.close();
    slow = undefined;
    expect(await countChanged(ids)).toBe(processedCount);
    expect(processedCount).toBeGreaterThanOrEqual(before);
    expect(processedCount).toBeLessThan(count);
  });

  it('changes no record after its user is deactivated', async () => {
    const user = await newUser();
    const { ids, path } = await begin(user);
    await admin.put(`/User/${user.id}`, { isActive: false });
    const answeredAt = Date.now();
    await untilMassActionEnded(path);
    for (const id of ids) {
      const history = listIn(await admin.get(`/Task/${id}/history`)).list;
      const times = history.map(({ at }) => Date.parse(`${at}Z`));
      expect(Math.max(...times)).toBeLessThanOrEqual(answeredAt);
    }
  });

  it('reports to a waiting client that it was stopped', async () => {
    const user = await newUser();
    const ids = await makeTasks(user.id);
    await slowDown('Task');
    const data = { values: { priority: 'High' } };
    const waiting = user.api.post('/MassAction', {
      ...{ entityType: 'Task', action: 'update', params: { ids }, data },
    });
    await eventually(async () => expect(await countChanged(ids)).toBeGreaterThan(0), patience);
    await admin.put(`/User/${user.id}`, { isActive: false });
    const { body } = await waiting;
    expect(body).toMatchObject({ status: 'Stopped', reason: 'user.inactive' });
    const result = body as { readonly count: number; readonly ids: readonly string[] };
    expect(result.count).toBeLessThan(count);
    expect(result.ids).toHaveLength(result.count);
  });

  it('can be cancelled by its user or an administrator and reports its progress', async () => {
    const user = await newUser();
    for (const by of [user.api, admin]) {
      const { ids, path } = await begin(user);
      const answer = await by.post(`${path}/cancel`);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toMatchObject({ status: 'Cancelled' });
      const done = toStatus(answer).processedCount;
      expect(done).toBeLessThan(count);
      expect((await user.api.get(`${path}/status`)).body).toEqual(answer.body);
      // As after a lost response.
      expect((await by.post(`${path}/cancel`)).body).toEqual(answer.body);
      await slow?.close();
      slow = undefined;
      expect(await countChanged(ids)).toBe(done);
    }
  });

  it('cannot be cancelled by other users or after its end', async () => {
    const [owner, other] = [await newUser(), await newUser()];
    const body = { entityType: 'Task', action: 'delete', params: { ids: [] }, idle: true };
    const { id } = recordIn(await owner.api.post('/MassAction', body));
    expect((await other.api.post(`/MassAction/${id}/cancel`)).status).toBe(403);
    expect((await other.api.get(`/MassAction/${id}/status`)).status).toBe(403);
    expect(await untilMassActionEnded(`/MassAction/${id}`)).toMatchObject({ status: 'Success' });
    const late = await owner.api.post(`/MassAction/${id}/cancel`);
    expect([late.status, late.body]).toMatchObject([409, { code: 'mass_action.ended' }]);
    expect((await owner.api.post('/MassAction/nothing/cancel')).status).toBe(404);
  });
});

describe('a request that leads to many writes', () => {
  it('stops when its user is deactivated', async () => {
    const user = await newUser();
    const list = recordIn(await admin.post('/TargetList', { name: unique('list') }));
    const made = await Promise.all(
      Array.from({ length: 40 }, async () => admin.post('/Account', { name: unique('a') })),
    );
    const ids = made.map((answer) => recordIn(answer).id);
    await slowDown('Account');
    const linking = user.api.post(`/TargetList/${list.id}/accounts`, { ids });
    const linked = async () =>
      listIn(await admin.get(`/TargetList/${list.id}/accounts?maxSize=200`)).list.length;
    await eventually(async () => expect(await linked()).toBeGreaterThan(0), patience);
    await admin.put(`/User/${user.id}`, { isActive: false });
    const answer = await linking;
    expect([answer.status, answer.body]).toMatchObject([401, { code: 'user.inactive' }]);
    expect(await linked()).toBeLessThan(40);
  });
});
