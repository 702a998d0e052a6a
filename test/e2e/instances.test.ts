import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey, withEspo, withToken } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { createFaultStand, type FaultStand } from '../support/fault-stand.ts';
import { scrape } from '../support/scrape.ts';

let stand: FaultStand;

beforeAll(async () => {
  stand = await createFaultStand({
    ANNALS_API_INSTANCES: '2',
    ANNALS_PROJECTOR_INSTANCES: '2',
    ANNALS_DISPATCHER_INSTANCES: '2',
  });
});

afterAll(async () => {
  await stand?.close();
});

describe('what one of two apis acknowledges', () => {
  const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };
  let clients: readonly ApiClient[];
  let turn = 0;

  /** Over another connection than the last request: the front spreads them over the instances. */
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
    const { url } = stand.product;
    const { userName, password } = stand.product.access().admin;
    const login = createApiClient(url, withEspo({ userName, secret: password }));
    const answer = await eventually(() => login.get('/App/user'));
    const secret = String(Object(answer.body).token);
    login.close();
    const credentials = withToken({ userName, secret });
    clients = Array.from({ length: 5 }, () => createApiClient(url, credentials));
    await eventually(() => Promise.all(clients.map((client) => client.get('/App/user'))));
  });
  afterAll(() => {
    for (const client of clients) client.close();
  });

  /** Requests that each of them has answered. */
  const served = async () =>
    Promise.all(
      ['api', 'api2'].map(async (one) => {
        const metrics = await scrape(stand.product.internalUrl(one));
        return metrics.sum('annals_http_request_duration_seconds_count');
      }),
    );

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

  it('the other one knows for the next request: types, fields and rights', async () => {
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
    const after = await served();
    // Otherwise nothing would be proven.
    for (const [index, count] of after.entries())
      expect(count - (before[index] ?? 0)).toBeGreaterThan(4);
  });
});

describe('two of every service, under a load of writes', () => {
  it.each(['api', 'api2', 'projector', 'projector2', 'dispatcher', 'dispatcher2'])(
    'lose and double nothing when the %s is killed in its midst',
    async (part) => {
      const load = await stand.startLoad();
      await stand.progress(load, 100);
      await stand.killAndWait(part);
      await stand.product.waitUntilReady(part);
      await stand.progress(load, 100);
      await load.stop();

      await stand.proveAll(load);
    },
  );

  it.each(['api', 'projector', 'dispatcher'])(
    'lose and double nothing when the %s is paused, replaced, and wakes up',
    async (part) => {
      const load = await stand.startLoad();
      await stand.progress(load, 100);
      stand.product.kill(part, 'SIGSTOP');
      // The others find out: an api within a second, the rest when its session in the group ends.
      await stand.progress(load, 200);
      stand.product.kill(part, 'SIGCONT');
      await stand.progress(load, 100);
      await load.stop();

      await stand.proveAll(load);
    },
  );

  it('refuse no write when an api stops in order', async () => {
    const load = await stand.startLoad();
    await stand.progress(load, 100);
    const unknown = () => load.writes.filter(({ outcome }) => outcome === 'unknown').length;
    const before = unknown();
    await stand.killAndWait('api2', 'SIGTERM');
    await stand.progress(load, 100);
    await load.stop();

    expect(unknown()).toBe(before);
    await stand.proveAll(load);
  });
});
