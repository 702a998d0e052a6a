import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey, withEspo, withToken } from '../support/credentials.ts';
import { createFaultHarness, type FaultHarness } from '../support/harness/fault-harness.ts';
import { scrape } from '../support/scrape.ts';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await createFaultHarness({
    ANNALS_API_INSTANCES: '2',
    API_CUSTOM_PREFIX: 'taken',
    ANNALS_PROJECTOR_INSTANCES: '2',
    ANNALS_DISPATCHER_INSTANCES: '2',
  });
});

afterAll(async () => {
  await harness?.close();
});

describe('a change acknowledged by one of two apis', () => {
  const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };
  let clients: readonly ApiClient[];
  let turn = 0;

  /**
   * Returns a client with another connection than the last one: the load balancer distributes connections
   * over the instances.
   */
  const next = (): ApiClient => {
    turn += 1;
    const client = clients[turn % clients.length];
    if (client === undefined) throw new Error('no clients');
    return client;
  };
  const define = async (path: string, body: object) => {
    const answer = await next().post(path, body);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers['x-consistency-token']).toMatch(/^d0-\d+$/);
  };

  beforeAll(async () => {
    const { url } = harness.product;
    const { userName, password } = harness.product.access().admin;
    const login = createApiClient(url, withEspo({ userName, secret: password }));
    const secret = String(Object((await login.get('/App/user')).body).token);
    login.close();
    const credentials = withToken({ userName, secret });
    clients = Array.from({ length: 5 }, () => createApiClient(url, credentials));
    await Promise.all(clients.map(async (client) => client.get('/App/user')));
  });
  afterAll(() => {
    for (const client of clients) client.close();
  });

  /** Returns the number of requests that an instance has served. */
  const servedBy = async (instance: string) =>
    (await scrape(harness.product.internalUrl(instance))).sum(
      'annals_http_request_duration_seconds_count',
    );
  const served = async () => Promise.all(['api', 'api2'].map(servedBy));

  /** Finds the instance that owns the directory, and the other one. */
  async function findInstances(): Promise<{ readonly owner: string; readonly other: string }> {
    const isOwnerFirst = (await harness.directoryOwner()) === harness.product.internalUrl('api');
    return isOwnerFirst ? { owner: 'api', other: 'api2' } : { owner: 'api2', other: 'api' };
  }

  /** Returns the client whose connection leads to this instance. */
  async function clientOf(instance: string): Promise<ApiClient> {
    for (const client of clients) {
      const before = await servedBy(instance);
      await client.get('/App/user');
      if ((await servedBy(instance)) > before) return client;
    }
    throw new Error(`no connection leads to ${instance}`);
  }

  const defineField = async (client: ApiClient, name: string) => {
    const begin = performance.now();
    const answer = await client.post('/Admin/fieldManager/Quilt', { name, type: 'varchar' });
    return { status: answer.status, ms: performance.now() - begin };
  };

  async function switchRights(): Promise<void> {
    const role = recordIn(await next().post('/Role', { name: 'On and off', data: {} })).id;
    const user = { type: 'api', userName: 'on-and-off', rolesIds: [role] };
    const apiKey = String(recordIn(await next().post('/User', user))['apiKey']);
    for (const data of [{ Quilt: all }, {}, { Quilt: all }, {}]) {
      await next().put(`/Role/${role}`, { data });
      const answer = await next().as(withApiKey({ apiKey })).get('/Quilt');
      expect(answer.status).toBe('Quilt' in data ? 200 : 403);
    }
  }

  async function saveLayouts(): Promise<void> {
    for (const name of ['website', 'type', 'industry']) {
      const layout = [{ name: 'name', link: true }, { name }];
      expect((await next().put('/Account/layout/list', layout)).status).toBe(200);
      for (const client of clients) {
        expect((await client.get('/Account/layout/list')).body).toEqual(layout);
      }
    }
  }

  it('is visible at the other api with the next request', async () => {
    const before = await served();
    for (const name of ['Quince', 'Quilt']) {
      await define('/EntityManager/action/createEntity', { name, type: 'Base' });
      expect((await next().post(`/${name}`, { name: 'first' })).status).toBe(200);
      for (const field of ['colour', 'weight']) {
        await define(`/Admin/fieldManager/${name}`, { name: field, type: 'varchar' });
        const made = await next().post(`/${name}`, { name: field, [field]: 'known' });
        expect(recordIn(made)[field], `${name}.${field}`).toBe('known');
      }
    }
    await switchRights();
    await saveLayouts();
    const after = await served();
    // Both instances have to have served requests for a valid proof.
    for (const [index, count] of after.entries())
      expect(count - (before[index] ?? 0)).toBeGreaterThan(4);
  });

  it('is visible at the other api with the next request even after a brief pause', async () => {
    const { owner, other } = await findInstances();
    const [here, there] = [await clientOf(owner), await clientOf(other)];
    harness.product.kill(other, 'SIGSTOP');
    const defining = defineField(here, 'origin');
    await sleep(500);
    harness.product.kill(other, 'SIGCONT');
    const { status, ms } = await defining;
    expect(status).toBe(200);
    expect(ms).toBeGreaterThan(450);

    const made = await there.post('/Quilt', { name: 'from there', origin: 'known' });
    expect(recordIn(made)['origin']).toBe('known');
  });

  it('is acknowledged within 3.5 s while the other api is paused', async () => {
    const { owner, other } = await findInstances();
    const here = await clientOf(owner);
    harness.product.kill(other, 'SIGSTOP');
    try {
      const { status, ms } = await defineField(here, 'pattern');
      expect(status).toBe(200);
      expect(ms).toBeGreaterThan(1_200);
      expect(ms).toBeLessThan(3_500);
    } finally {
      harness.product.kill(other, 'SIGCONT');
    }
    await harness.product.waitUntilReady(other);
    const there = await clientOf(other);
    const made = await there.post('/Quilt', { name: 'from there', pattern: 'known' });
    expect(recordIn(made)['pattern']).toBe('known');
  });
});

describe('two instances of every service under a load of writes', () => {
  it.each(['api', 'api2', 'projector', 'projector2', 'dispatcher', 'dispatcher2', 'front'])(
    'lose and duplicate nothing when the %s is killed',
    async (part) => {
      const load = await harness.startLoad();
      await harness.progress(load, 100);
      await harness.killAndWait(part);
      await harness.product.waitUntilReady(part);
      await harness.progress(load, 100);
      await load.stop();

      await harness.proveAll(load);
    },
  );

  it.each(['api', 'projector', 'dispatcher'])(
    'lose and duplicate nothing when the %s is paused, replaced and resumed',
    async (part) => {
      const load = await harness.startLoad();
      await harness.progress(load, 100);
      harness.product.kill(part, 'SIGSTOP');
      // The others detect it: an api within a second, the rest when its group session expires.
      await harness.progress(load, 200);
      harness.product.kill(part, 'SIGCONT');
      await harness.progress(load, 100);
      await load.stop();

      await harness.proveAll(load);
    },
  );

  it('reject no write when an api stops gracefully', async () => {
    const load = await harness.startLoad();
    await harness.progress(load, 100);
    const unknown = () => load.writes.filter(({ outcome }) => outcome === 'unknown').length;
    const before = unknown();
    await harness.killAndWait('api2', 'SIGTERM');
    await harness.progress(load, 100);
    await load.stop();

    expect(unknown()).toBe(before);
    await harness.proveAll(load);
  });
});
