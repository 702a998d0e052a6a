import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { aLead, anAccount } from '../support/builders/record-builders.ts';
import { withApiKey, withHmacHex, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { proveWebhookLedgers } from '../support/proofs/prove-webhook-ledgers.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';

const topicPrefix = `runs-${process.pid}`;

/** All webhook settings at their defaults: a run every 5 minutes, 20 events and 20 requests in a run. */
let product: StartedProduct;
let api: ApiClient;
let admin: ApiClient;
let subscriber: Subscriber;

beforeAll(async () => {
  subscriber = await startSubscriber();
  product = await startProduct({
    env: { ANNALS_TOPIC_PREFIX: topicPrefix, WEBHOOK_ALLOWED_ADDRESSES: subscriber.address },
  });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  admin = api.as(withPassword(product.access().admin));
});

afterAll(async () => {
  api?.close();
  await product?.remove();
  await subscriber?.close();
});

const subscribed: string[] = [];

const subscribe = async (event: string, path: string) => {
  const { id } = await registerWebhook(api, { event, url: subscriber.url(path) });
  subscribed.push(id);
};

afterEach(async () => {
  for (const id of subscribed.splice(0)) await api.delete(`/Webhook/${id}`);
});

/** Requests a run and waits for its events, which prove that it has ended. */
const run = async (path: string, events: number) => {
  expect((await admin.post('/Webhook/action/processQueue')).text).toBe('true');
  await eventually(() => expect(subscriber.events(path)).toHaveLength(events));
};

describe('the webhook queue', () => {
  it("is processed at an administrator's request, 20 events at a time", async () => {
    await subscribe('Account.create', '/run');
    const accounts = await Promise.all(
      Array.from({ length: 45 }, async () => recordIn(await api.post('/Account', anAccount()))),
    );
    expect(subscriber.requests('/run')).toEqual([]);

    await run('/run', 20);
    await run('/run', 40);
    await run('/run', 45);

    expect(subscriber.requests('/run')).toHaveLength(3);
    expect(new Set(subscriber.events('/run').map(({ id }) => id))).toEqual(
      new Set(accounts.map(({ id }) => id)),
    );
  });

  it('sends 20 requests in a run and the rest in the next one', async () => {
    const paths = Array.from({ length: 25 }, (_, index) => `/portion-${index}`);
    await Promise.all(paths.map((path) => subscribe('Lead.create', path)));
    const requests = () => paths.flatMap((path) => subscriber.requests(path));
    await api.post('/Lead', aLead());

    await admin.post('/Webhook/action/processQueue');
    await eventually(() => expect(requests()).toHaveLength(20));
    await admin.post('/Webhook/action/processQueue');
    await eventually(() => expect(requests()).toHaveLength(25));

    expect(paths.map((path) => subscriber.requests(path).length)).toEqual(paths.map(() => 1));
  });

  it('is processed again if another run is requested during a run', async () => {
    await subscribe('Account.update', '/again');
    const { id } = recordIn(await api.post('/Account', anAccount()));
    const codes = Array.from({ length: 15 }, (_, index) => `${index}`);
    for (const sicCode of codes) {
      await api.put(`/Account/${id}`, { sicCode });
      await admin.post('/Webhook/action/processQueue');
    }

    await eventually(() =>
      expect(subscriber.events('/again').map(({ sicCode }) => sicCode)).toEqual(codes),
    );
  });

  it('is processed once after a dispatcher kill if a run was requested', async () => {
    await subscribe('Account.update', '/killed');
    const { id } = recordIn(await api.post('/Account', anAccount()));
    await api.put(`/Account/${id}`, { sicCode: 'before' });
    product.kill('dispatcher');
    await api.put(`/Account/${id}`, { sicCode: 'after' });
    await admin.post('/Webhook/action/processQueue');
    await product.waitUntilReady('dispatcher');

    await eventually(() =>
      expect(subscriber.events('/killed').map(({ sicCode }) => sicCode)).toEqual([
        'before',
        'after',
      ]),
    );
  });

  it.each(['API user', 'regular user'] as const)(
    'is not processed at the request of an ordinary user: %s',
    async (who) => {
      const { user } = product.access();
      const caller = who === 'API user' ? api : api.as(withPassword(user));

      expect((await caller.post('/Webhook/action/processQueue')).status).toBe(403);
    },
  );
});

describe('active webhooks', () => {
  it('are limited to 50 per user, even for concurrent registrations', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) =>
        api.post('/Webhook', { event: 'Case.create', url: subscriber.url(`/limit-${index}`) }),
      ),
    );

    const created = answers.filter(({ status }) => status === 201).map(recordIn);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(created).toHaveLength(50);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([403]));
    for (const { headers } of refused) expect(headers['x-status-reason']).toContain('50');
    const { total } = listIn(await api.get('/Webhook?maxSize=1'));
    expect(total).toBe(50);

    // A deletion and a deactivation free one place each.
    const [first, second, third] = created;
    await api.delete(`/Webhook/${first?.id}`);
    await api.put(`/Webhook/${second?.id}`, { isActive: false });
    const again = { event: 'Case.create', url: subscriber.url('/limit-again') };
    const next = await Promise.all(
      Array.from({ length: 5 }, async () => api.post('/Webhook', again)),
    );
    expect(next.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403, 403]);

    const activation = await api.put(`/Webhook/${second?.id}`, { isActive: true });
    expect(activation.status).toBe(403);
    expect((await api.put(`/Webhook/${third?.id}`, { isActive: true })).status).toBe(200);
  });

  it("count only against their user's limit", async () => {
    const body = { event: 'Case.create', url: subscriber.url('/others') };
    const other = api.as(withHmacHex(product.access().hmac));

    const own = recordIn(await other.post('/Webhook', body));
    expect((await admin.post('/Webhook', body)).status).toBe(201);
    const { list } = listIn(await other.get('/Webhook?maxSize=200'));
    expect(list.map(({ id }) => id)).toEqual([own.id]);
  });
});

describe("another user's webhook", () => {
  it('cannot be read, changed or deleted', async () => {
    const other = api.as(withHmacHex(product.access().hmac));
    const body = { event: 'Case.delete', url: subscriber.url('/foreign') };
    const { id } = recordIn(await other.post('/Webhook', body));

    expect((await api.get(`/Webhook/${id}`)).status).toBe(403);
    expect((await api.put(`/Webhook/${id}`, { isActive: false })).status).toBe(403);
    expect((await api.delete(`/Webhook/${id}`)).status).toBe(403);
    expect(recordIn(await other.get(`/Webhook/${id}`))).toMatchObject({ id, isActive: true });
    expect(recordIn(await admin.get(`/Webhook/${id}`))).toMatchObject({ id, userId: 'api-hmac' });
  });
});

it('the ledger of every webhook is balanced after these tests', async () => {
  await proveWebhookLedgers({ kafka: product.access().kafka, topicPrefix });
});
