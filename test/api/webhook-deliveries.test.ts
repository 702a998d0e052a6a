import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import {
  type ApiAnswer,
  type ApiClient,
  createApiClient,
  listIn,
  recordIn,
} from '../support/api-client.ts';
import { anAccount, unique } from '../support/builders/record-builders.ts';
import { withApiKey, withHmacHex, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { proveWebhookLedgers } from '../support/proofs/prove-webhook-ledgers.ts';
import { withoutFollowing } from '../support/proofs/without-following.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';
import { hasStandardSignature } from '../support/receivers/webhook-signatures.ts';

let annals: StartedAnnals;
let api: ApiClient;
let subscriber: Subscriber;

beforeAll(async () => {
  subscriber = await startSubscriber();
  annals = await startAnnals({
    env: {
      WEBHOOK_QUEUE_INTERVAL: '1s',
      WEBHOOK_QUEUE_EVENT_PORTION_SIZE: '0',
      WEBHOOK_QUEUE_PORTION_SIZE: '0',
      WEBHOOK_FAIL_ATTEMPT_PERIOD: '1s',
      WEBHOOK_MAX_ATTEMPT_NUMBER: '2',
      WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
    },
  });
  api = createApiClient(annals.url, withApiKey(annals.apiKey));
});

afterAll(async () => {
  api?.close();
  await annals?.stop();
  await subscriber?.close();
});

const patience = { timeoutMs: 20_000, intervalMs: 100 };

const subscribe = async (path: string, options: object = {}) =>
  recordIn(
    await api.post('/Webhook', {
      event: 'Account.create',
      url: subscriber.url(path),
      ...options,
    }),
  );

const createAccount = async () => recordIn(await api.post('/Account', anAccount()));

const untilListed = async (path: string, count: number) =>
  eventually(async () => {
    const list = listIn(await api.get(path)).list;
    expect(list).toHaveLength(count);
    return list;
  }, patience);

const codeOf = ({ body }: ApiAnswer) => (body as { readonly code?: string }).code;

describe('the deliveries of a webhook', () => {
  it('show the request, the response and the outcome of each batch', async () => {
    const header = unique('Bearer secret-');
    const { id } = await subscribe('/told', { headers: { Authorization: header } });
    const account = await createAccount();
    const [delivery] = await untilListed(`/Webhook/${id}/deliveries?state=delivered`, 1);
    expect(delivery).toMatchObject({ events: 1, attempts: 1, lastStatus: 200, replayId: null });
    const whole = await api.get(`/Webhook/${id}/deliveries/${delivery?.id}`);
    expect(whole.body).toMatchObject({ id: delivery?.id, body: [withoutFollowing(account)] });

    const answer = await api.get(`/Webhook/${id}/attempts`);
    expect(answer.text).not.toContain(header);
    const [request] = subscriber.requests('/told');
    expect(answer.body).toMatchObject({
      total: -2,
      list: [
        {
          deliveryId: delivery?.id,
          attempt: 1,
          state: 'delivered',
          status: 200,
          request: {
            url: subscriber.url('/told'),
            headers: expect.arrayContaining([
              ['webhook-signature', request?.headers['webhook-signature']],
              ['Authorization', '(hidden)'],
            ]),
          },
          response: { headers: expect.anything(), body: '' },
          firstByteMs: expect.any(Number),
          connectMs: expect.any(Number),
        },
      ],
    });
    await api.delete(`/Webhook/${id}`);
  });

  it('can be filtered by state and time and read page by page', async () => {
    subscriber.answer('/filtered', 500);
    const { id } = await subscribe('/filtered', { batchSize: 1 });
    await createAccount();
    await createAccount();
    const dead = await untilListed(`/Webhook/${id}/deliveries?state=dead`, 2);
    expect(await untilListed(`/Webhook/${id}/deliveries?state=delivered`, 0)).toEqual([]);
    const retries = listIn(await api.get(`/Webhook/${id}/attempts?state=retry`)).list;
    // Batches that waited behind the failure are listed, too, as attempt 0.
    expect(retries.filter(({ attempt }) => attempt === 1)).toHaveLength(2);
    const ofOne = await untilListed(
      `/Webhook/${id}/attempts?deliveryId=${dead[0]?.id}&state=dead`,
      1,
    );
    expect(ofOne).toMatchObject([{ deliveryId: dead[0]?.id }]);
    await untilListed(`/Webhook/${id}/attempts?deliveryId=${randomUUID()}`, 0);
    const page = await api.get(`/Webhook/${id}/deliveries?maxSize=1&offset=1`);
    expect(page.body).toMatchObject({ total: -2, list: [{ id: dead[1]?.id }] });
    const past = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString());
    await untilListed(`/Webhook/${id}/deliveries?from=${past}`, 2);
    await untilListed(`/Webhook/${id}/deliveries?to=${past}`, 0);

    for (const query of ['state=nonsense', 'from=yesterday', 'maxSize=x']) {
      const answer = await api.get(`/Webhook/${id}/deliveries?${query}`);
      expect([answer.status, codeOf(answer)]).toEqual([400, 'parameter.invalid']);
    }
    await api.delete(`/Webhook/${id}`);
  });

  it("can be read only by the webhook's own user", async () => {
    const { id } = await subscribe('/own');
    const other = api.as(withHmacHex(annals.hmac));
    for (const path of ['deliveries', 'attempts', 'deliveries/x']) {
      expect((await other.get(`/Webhook/${id}/${path}`)).status).toBe(403);
      expect((await api.get(`/Webhook/none/${path}`)).status).toBe(404);
    }
    for (const path of ['test', 'redeliver']) {
      expect((await other.post(`/Webhook/${id}/${path}`, { deadLetters: true })).status).toBe(403);
    }
    expect(codeOf(await api.get(`/Webhook/${id}/deliveries/none`))).toBe(
      'webhook.delivery_not_found',
    );
    await api.delete(`/Webhook/${id}`);
  });
});

describe('a webhook test request', () => {
  it('sends one signed sample immediately without retries, even for an inactive webhook', async () => {
    subscriber.answer('/sample', 500);
    const webhook = await subscribe('/sample', { isActive: false });
    const answer = await api.post(`/Webhook/${webhook.id}/test`);
    expect(answer.status).toBe(200);
    const [attempt] = await untilListed(`/Webhook/${webhook.id}/attempts`, 1);
    expect(attempt).toMatchObject({ ...Object(answer.body), state: 'dropped', status: 500 });

    const [request, ...more] = subscriber.requests('/sample');
    expect(more).toEqual([]);
    if (request === undefined) throw new Error('no request was received');
    expect(hasStandardSignature(request, String(webhook['secretKey']))).toBe(true);
    expect(JSON.parse(request.body.toString())).toMatchObject([{ id: 'sample', name: 'Sample' }]);
    await api.delete(`/Webhook/${webhook.id}`);
  });
});

describe('a redelivery', () => {
  it('sends dead letters again with their original ids and bytes', async () => {
    subscriber.answer('/dead', 503);
    const { id } = await subscribe('/dead', { batchSize: 1 });
    await createAccount();
    await createAccount();
    await untilListed(`/Webhook/${id}/deliveries?state=dead`, 2);
    const before = subscriber.requests('/dead').map(({ headers }) => headers['webhook-id']);
    subscriber.answer('/dead', 200);
    const answer = await api.post(`/Webhook/${id}/redeliver`, { deadLetters: true });
    expect(answer.body).toEqual({ count: 2, more: false, next: null });
    const delivered = await untilListed(`/Webhook/${id}/deliveries?state=delivered`, 2);

    expect(new Set(delivered.map((delivery) => delivery.id))).toEqual(new Set(before));
    const byId = Map.groupBy(subscriber.requests('/dead'), ({ headers }) => headers['webhook-id']);
    for (const requests of byId.values()) {
      expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(1);
    }
    const again = await api.post(`/Webhook/${id}/redeliver`, { deadLetters: true });
    expect(again.body).toEqual({ count: 0, more: false, next: null });

    const batchId = String(delivered[0]?.id);
    const one = await api.post(`/Webhook/${id}/redeliver`, { batchId });
    expect(one.body).toEqual({ count: 1, more: false, next: null });
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const all = await api.post(`/Webhook/${id}/redeliver`, { since });
    expect(all.body).toEqual({ count: 2, more: false, next: null });
    await untilListed(`/Webhook/${id}/attempts?state=delivered`, 5);
    const after = `${Date.now()}.${batchId}`;
    const none = await api.post(`/Webhook/${id}/redeliver`, { since, after });
    expect(none.body).toEqual({ count: 0, more: false, next: null });
    await api.delete(`/Webhook/${id}`);
  });

  it.each([
    {},
    { batchId: 1 },
    { deadLetters: false },
    { batchId: 'a', deadLetters: true },
    { batchId: '../x' },
    { batchId: 'a', after: '1.a' },
    { deadLetters: true, after: 1 },
    { deadLetters: true, after: 'nonsense' },
    { deadLetters: true, after: `${'9'.repeat(14)}.a` },
  ])('is rejected for %j', async (body) => {
    const { id } = await subscribe('/refused');
    const answer = await api.post(`/Webhook/${id}/redeliver`, body);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'webhook.redelivery_invalid']);
    await api.delete(`/Webhook/${id}`);
  });
});

it('the number of events that the webhook user may not read is shown only to administrators', async () => {
  const admin = api.as(withPassword(annals.admin));
  const data = { Account: { create: 'yes', read: 'own' }, Webhook: true };
  const role = recordIn(await admin.post('/Role', { name: unique('role'), data }));
  const body = { userName: `narrow-${process.pid}`, type: 'api', rolesIds: [role['id']] };
  const user = recordIn(await admin.post('/User', body));
  const narrow = api.as(withApiKey({ apiKey: String(user['apiKey']) }));
  const url = subscriber.url('/narrow');
  const webhook = recordIn(await narrow.post('/Webhook', { event: 'Account.create', url }));
  const [own] = await Promise.all([
    narrow.post('/Account', { ...anAccount(), assignedUserId: user['id'] }),
    createAccount(),
    createAccount(),
  ]);
  await eventually(() => expect(subscriber.events('/narrow')).toHaveLength(1), patience);
  expect(subscriber.events('/narrow')).toMatchObject([{ id: recordIn(own)['id'] }]);
  await eventually(async () => {
    const { webhooks } = await proveWebhookLedgers(annals);
    expect(webhooks.find(({ webhookId }) => webhookId === webhook['id'])).toMatchObject({
      matched: 3,
      delivered: 1,
      dropped: { 'not readable for the webhook user': 2 },
    });
  }, patience);
  const { list } = listIn(await narrow.get(`/Webhook/${webhook['id']}/deliveries?state=delivered`));
  expect(list).toMatchObject([{ events: 1 }]);
  const listed = `/Webhook/${webhook['id']}/deliveries`;
  const theirs = await narrow.get(listed);
  expect(listIn(theirs).list.map(({ id, events }) => [id, events])).toEqual([[list[0]?.id, 1]]);
  expect(theirs.text).not.toContain('hidden');
  expect((await narrow.get(`/Webhook/${webhook['id']}/attempts`)).text).not.toContain('readable');
  const all = listIn(await admin.get(listed)).list;
  for (const { id, events } of all) {
    expect((await narrow.get(`${listed}/${id}`)).status).toBe(events === 0 ? 404 : 200);
  }
  const sum = (name: string) => all.reduce((total, one) => total + Number(one[name]), 0);
  expect([sum('events'), sum('hidden')]).toEqual([1, 2]);
  const path = `/Webhook/${webhook['id']}/deliveries/${list[0]?.['id']}`;
  expect(recordIn(await narrow.get(path))['body']).toMatchObject([{ id: recordIn(own)['id'] }]);
});

describe('the latest event of a webhook', () => {
  const event = 'Account.fieldUpdate.website';

  it('is sent as a signed test, even for an inactive webhook, and only on request', async () => {
    const account = await createAccount();
    const webhook = await subscribe('/latest', { event, isActive: false });
    for (const website of ['https://one.example', 'https://two.example']) {
      await api.put(`/Account/${account.id}`, { website });
    }
    await api.put(`/Account/${account.id}`, { name: unique('Renamed') });
    const test = `/Webhook/${webhook.id}/test`;
    const answer = await api.post(test, { latest: true });
    expect(answer.body, answer.text).toEqual({ deliveryId: expect.stringMatching(/^test_/) });
    const [request] = await eventually(() => {
      expect(subscriber.requests('/latest')).toHaveLength(1);
      return subscriber.requests('/latest');
    }, patience);
    expect(request?.headers['webhook-id']).toBe(Object(answer.body).deliveryId);
    expect(request && hasStandardSignature(request, String(webhook['secretKey']))).toBe(true);
    expect(subscriber.events('/latest')).toMatchObject([
      { id: account.id, website: 'https://two.example' },
    ]);
    expect(codeOf(await api.post(test, { latest: 'yes' }))).toBe('body.value_missing');
    const user = api.as(withPassword(annals.user));
    expect((await user.post(test, { latest: true })).status).toBe(403);
  });

  it('is rejected if no such event exists', async () => {
    const { id } = await subscribe('/latest/none', { event: 'Campaign.delete' });
    expect(codeOf(await api.post(`/Webhook/${id}/test`, { latest: true }))).toBe(
      'webhook.no_past_event',
    );
    expect(subscriber.requests('/latest/none')).toEqual([]);
  });

  it('is the example of an event, or else a made-up record', async () => {
    const example = (query: string, client = api) =>
      client.get(`/Webhook/action/eventExample?${query}`);
    const account = await createAccount();
    await api.put(`/Account/${account.id}`, { website: 'https://new.example' });
    expect((await example(`event=${event}&payloadFormat=events`)).body).toMatchObject({
      event,
      isSample: false,
      occurredAt: expect.stringMatching(/^\d{4}-/),
      body: [
        {
          event,
          data: { id: account.id, website: 'https://new.example' },
          previous: { website: account['website'] ?? null },
          sequence: null,
        },
      ],
    });
    expect((await example('event=Campaign.delete')).body).toMatchObject({
      isSample: true,
      occurredAt: null,
      body: [{ id: 'sample' }],
    });
    expect(codeOf(await example('event=Campaign.sing'))).toBe('record.invalid');
    expect(codeOf(await example('payloadFormat=records'))).toBe('parameter.invalid');
    expect(codeOf(await example(`event=${event}&payloadFormat=xml`))).toBe('parameter.invalid');
    expect(codeOf(await example(`event=${event}&userId=admin`))).toBe('access.denied');
    const user = api.as(withPassword(annals.user));
    expect(codeOf(await example(`event=${event}`, user))).toBe('webhook.forbidden');
  });

  it('is the latest one that the user of the webhook may read', async () => {
    const admin = api.as(withPassword(annals.admin));
    const roleName = unique('Reader of own');
    const data = { Webhook: true, Case: { create: 'yes', read: 'own', edit: 'own' } };
    const { id: roleId } = recordIn(await admin.post('/Role', { name: roleName, data }));
    const userName = unique('own').toLowerCase().replaceAll(' ', '-');
    const user = { userName, type: 'api', rolesIds: [roleId] };
    const { id: userId } = recordIn(await admin.post('/User', user));
    const own = recordIn(await admin.post('/Case', { name: 'Own', assignedUserId: userId }));
    const other = recordIn(await admin.post('/Case', { name: 'Other' }));
    const idOf = async (query: string) => {
      const { body } = await admin.get(`/Webhook/action/eventExample?event=Case.create${query}`);
      return Object(body).body[0].id;
    };
    expect([await idOf(`&userId=${userId}`), await idOf('')]).toEqual([own.id, other.id]);
    const account = `/Webhook/action/eventExample?event=Account.create&userId=${userId}`;
    expect(codeOf(await admin.get(account))).toBe('webhook.entity_forbidden');
  });
});

it('the validateUrl action validates a URL like a registration but creates nothing', async () => {
  const before = listIn(await api.get('/Webhook')).total;
  const validate = async (url: unknown) => api.post('/Webhook/action/validateUrl', { url });
  const fine = { problems: [], warnings: [] };
  expect((await validate(subscriber.url('/judged'))).body).toEqual(fine);
  for (const url of ['no url', 'http://127.0.0.1:1', 'https://localhost/hook']) {
    const registered = await api.post('/Webhook', { event: 'Account.create', url });
    const { problems } = Object((await validate(url)).body);
    const [{ field, type }] = Object(registered.body).errors;
    expect([url, problems]).toEqual([url, [{ field, type, message: expect.any(String) }]]);
  }
  expect(codeOf(await validate(7))).toBe('body.value_missing');
  const user = api.as(withPassword(annals.user));
  const path = '/Webhook/action/validateUrl';
  expect(codeOf(await user.post(path, { url: 'https://x.example' }))).toBe('webhook.forbidden');
  expect(listIn(await api.get('/Webhook')).total).toBe(before);
});

it('the ledger of a webhook is returned only to administrators', async () => {
  const admin = api.as(withPassword(annals.admin));
  const { id } = await subscribe('/accounted', { event: 'Lead.create' });
  const path = `/System/webhookLedgers/${id}`;
  const nothing = { matched: 0, enqueued: 0, delivered: 0, problems: [] };
  expect((await admin.get(path)).body).toMatchObject(nothing);
  expect(codeOf(await api.get(path))).toBe('access.admin_only');
  expect(codeOf(await admin.get('/System/webhookLedgers/unknown'))).toBe('record.not_found');

  subscriber.answer('/accounted', 500);
  await api.post('/Lead', { lastName: 'Refused' });
  const dead = `/Webhook/${id}/deliveries?state=dead`;
  await eventually(async () => expect(listIn(await api.get(dead)).list).toHaveLength(1), patience);
  subscriber.answer('/accounted', 200);
  await api.post('/Lead', { lastName: 'Taken' });
  await eventually(() => expect(subscriber.requests('/accounted')).toHaveLength(3), patience);
  // The endpoint caches a response for ten seconds.
  await eventually(async () => {
    const { at, ...account } = Object((await admin.get(path)).body);
    expect(account).toMatchObject({ matched: 2, enqueued: 2, delivered: 1, dead: 1, waiting: 0 });
    const { webhooks } = await proveWebhookLedgers(annals);
    expect(account).toEqual(webhooks.find(({ webhookId }) => webhookId === id));
  }, patience);
});

it('the ledger of every webhook is balanced after these tests', async () => {
  await proveWebhookLedgers(annals);
});
