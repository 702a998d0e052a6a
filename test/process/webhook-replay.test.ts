import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toKafkaVariables } from '../../infra/local/kafka/kafka-access.ts';
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
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { proveWebhookLedgers } from '../support/proofs/prove-webhook-ledgers.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';

const ACCOUNTS = 1_500;
const topicPrefix = `replay-${process.pid}`;
const patience = { timeoutMs: 60_000, intervalMs: 100 };

let product: StartedProduct;
let api: ApiClient;
let subscriber: Subscriber;
let from: string;
let to: string;
const created: string[] = [];

beforeAll(async () => {
  subscriber = await startSubscriber();
  product = await startProduct({
    env: {
      ANNALS_TOPIC_PREFIX: topicPrefix,
      WEBHOOK_QUEUE_INTERVAL: '1s',
      WEBHOOK_QUEUE_EVENT_PORTION_SIZE: '0',
      WEBHOOK_QUEUE_PORTION_SIZE: '0',
      WEBHOOK_FAIL_ATTEMPT_PERIOD: '1s',
      WEBHOOK_MAX_ATTEMPT_NUMBER: '2',
      WEBHOOK_REPLAY_EVENTS_PER_SECOND: '500',
      WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
    },
  });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  await api.post('/Account', anAccount());
  await new Promise((resolve) => setTimeout(resolve, 5));
  from = new Date().toISOString();
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let made = 0; made < ACCOUNTS / 50; made += 1) {
        created.push(recordIn(await api.post('/Account', anAccount())).id);
      }
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 5));
  to = new Date().toISOString();
  await api.post('/Account', anAccount());
});

afterAll(async () => {
  api?.close();
  await product?.remove();
  await subscriber?.close();
});

const subscribe = async (path: string, event = 'Account.create') =>
  recordIn(await api.post('/Webhook', { event, url: subscriber.url(path) }));

const codeOf = ({ body }: ApiAnswer) => (body as { readonly code?: string }).code;

describe('a replay', () => {
  it('sends a new webhook all earlier events once despite a crash', async () => {
    const webhook = await subscribe('/replayed');
    const dry = await api.post(`/Webhook/${webhook.id}/replay`, { from, to, dryRun: true });
    const dryId = recordIn(dry).id;
    const counted = await eventually(async () => {
      const found = recordIn(await api.get(`/Webhook/${webhook.id}/replays/${dryId}`));
      expect(found['state']).toBe('done');
      return found;
    }, patience);
    expect(counted).toMatchObject({ events: ACCOUNTS, dryRun: true });
    expect(counted['samples']).toHaveLength(3);
    expect(subscriber.requests('/replayed')).toEqual([]);

    const { id } = recordIn(await api.post(`/Webhook/${webhook.id}/replay`, { from, to }));
    await eventually(() => expect(subscriber.requests('/replayed')).not.toEqual([]), patience);
    product.kill('dispatcher');
    await product.waitUntilReady('dispatcher');
    await eventually(async () => {
      const found = recordIn(await api.get(`/Webhook/${webhook.id}/replays/${id}`));
      expect(found).toMatchObject({ state: 'done', events: ACCOUNTS });
    }, patience);
    await eventually(() => {
      const received = new Set(subscriber.events('/replayed').map((event) => event['id']));
      expect(received).toEqual(new Set(created));
    }, patience);

    expect(subscriber.requests('/replayed')[0]?.headers['x-webhook-replay']).toBe(id);
    const { webhooks } = await proveWebhookLedgers({
      kafka: product.access().kafka,
      topicPrefix,
    });
    const account = webhooks.find(({ webhookId }) => webhookId === webhook.id);
    expect(account).toMatchObject({ replayed: ACCOUNTS, doubled: 0 });
  });

  it('stops when cancelled and continues at the same position when resumed', async () => {
    const webhook = await subscribe('/cancelled');
    const path = `/Webhook/${webhook.id}/replays`;
    const { id } = recordIn(await api.post(`/Webhook/${webhook.id}/replay`, { from, to }));
    expect((await api.delete(`${path}/${id}`)).text).toBe('true');
    const { list } = listIn(await api.get(path));
    expect(list).toMatchObject([{ id, state: 'cancelled' }]);
    const stoodAt = Number(list[0]?.['events']);
    expect(stoodAt).toBeLessThan(ACCOUNTS);
    const resumed = await api.post(`${path}/${id}/resume`);
    expect(resumed.body).toMatchObject({ id, state: expect.stringMatching(/running|done/) });
    await eventually(async () => {
      expect((await api.get(`${path}/${id}`)).body).toMatchObject({
        state: 'done',
        events: ACCOUNTS,
      });
    }, patience);
    await eventually(
      () => expect(subscriber.events('/cancelled')).toHaveLength(ACCOUNTS),
      patience,
    );
    expect(new Set(subscriber.events('/cancelled').map((event) => event['id']))).toEqual(
      new Set(created),
    );
    expect(codeOf(await api.post(`${path}/none/resume`))).toBe('webhook.replay_not_found');
    await api.delete(`/Webhook/${webhook.id}`);
  });

  it('stops when its user is deactivated until another user resumes it', async () => {
    const admin = createApiClient(product.url, withPassword(product.access().admin));
    const userName = unique('boss').replace(' ', '');
    const password = 'a good long password';
    const body = { userName, lastName: 'Boss', type: 'admin', password };
    const { id: bossId } = recordIn(await admin.post('/User', body));
    const boss = admin.as(withPassword({ userName, password }));
    const webhook = await subscribe('/stopped');
    const path = `/Webhook/${webhook.id}/replays`;
    const { id } = recordIn(await boss.post(`/Webhook/${webhook.id}/replay`, { from, to }));
    await admin.put(`/User/${bossId}`, { isActive: false });
    const { list } = listIn(await api.get(path));
    expect(list).toMatchObject([{ id, state: 'stopped', reason: 'user.inactive' }]);
    const resumed = await api.post(`${path}/${id}/resume`);
    expect(resumed.body).toMatchObject({ id, state: expect.stringMatching(/running|done/) });
    await eventually(() => expect(subscriber.events('/stopped')).toHaveLength(ACCOUNTS), patience);
    expect(new Set(subscriber.events('/stopped').map((event) => event['id']))).toEqual(
      new Set(created),
    );
    await api.delete(`/Webhook/${webhook.id}`);
    admin.close();
  });

  it('applies the filter of the webhook', async () => {
    const webhook = await subscribe('/none', 'Account.fieldUpdate.sicCode');
    const dry = await api.post(`/Webhook/${webhook.id}/replay`, { from, to, dryRun: true });
    expect(dry.body).toMatchObject({ state: 'done', events: 0, samples: [] });
    await api.delete(`/Webhook/${webhook.id}`);
  });

  it('counts readable events and shows hidden ones only to administrators', async () => {
    const admin = createApiClient(product.url, withPassword(product.access().admin));
    const rights = { Account: { create: 'yes', read: 'own' }, Webhook: true };
    const name = unique('own').replace(' ', '-');
    const role = recordIn(await admin.post('/Role', { name, data: rights }));
    const body = { userName: name, type: 'api', rolesIds: [role.id] };
    const user = recordIn(await admin.post('/User', body));
    const client = admin.as(withApiKey({ apiKey: String(user['apiKey']) }));
    const begin = new Date().toISOString();
    const own: string[] = [];
    for (const assignedUserId of [user.id, null, user.id, null, null]) {
      const { id } = recordIn(await admin.post('/Account', { ...anAccount(), assignedUserId }));
      if (assignedUserId !== null) own.push(id);
    }
    const webhook = recordIn(
      await client.post('/Webhook', { event: 'Account.create', url: subscriber.url('/own') }),
    );
    const path = `/Webhook/${webhook.id}/replay`;
    const time = { from: begin, to: new Date(Date.now() + 1_000).toISOString() };
    const counts = { state: 'done', events: 2, batches: 1 };
    const dry = await client.post(path, { ...time, dryRun: true });
    expect(dry.body).toMatchObject(counts);
    expect(dry.body).not.toHaveProperty('hidden');
    const { id } = recordIn(await client.post(path, time));
    await eventually(async () => {
      expect((await client.get(`${path}s/${id}`)).body).toMatchObject(counts);
      expect(subscriber.events('/own').map((event) => event['id'])).toEqual(own);
    }, patience);
    const asAdmin = (await admin.get(`${path}s/${id}`)).body;
    expect(asAdmin).toMatchObject({ ...counts, hidden: 3 });
    expect((await client.get(`${path}s`)).text).not.toContain('hidden');
    const { stdout } = await runCli(
      ['replay', '--webhook', webhook.id, '--follow', id, '--data-dir', product.dataDir],
      { ANNALS_TOPIC_PREFIX: topicPrefix },
    );
    expect(stdout).toBe(
      `Replay ${id} is done: 2 events in 1 batch enqueued. 3 more events hidden from the webhook's user.\n`,
    );
    await client.delete(`/Webhook/${webhook.id}`);
    admin.close();
  });

  it('is rejected without a valid period and for other users', async () => {
    const { id } = await subscribe('/refused');
    const path = `/Webhook/${id}/replay`;
    expect(codeOf(await api.post(path, { from }))).toBe('parameter.invalid');
    expect(codeOf(await api.post(path, { from: 'then', to }))).toBe('parameter.invalid');
    expect(codeOf(await api.post(path, { from: to, to: from }))).toBe('webhook.replay_invalid');
    expect(codeOf(await api.post(path, { from, to, dryRun: 1 }))).toBe('webhook.replay_invalid');
    expect(codeOf(await api.get(`${path}s/none`))).toBe('webhook.replay_not_found');
    const other = api.as(withHmacHex(product.access().hmac));
    expect((await other.post(path, { from, to })).status).toBe(403);
    await api.delete(`/Webhook/${id}`);
  });
});

describe('annals', () => {
  const annals = async (...args: readonly string[]) =>
    runCli([...args, '--data-dir', product.dataDir, '--json'], {
      ANNALS_TOPIC_PREFIX: topicPrefix,
      ...toKafkaVariables(product.access().kafka),
      DATABASE_URL: product.access().postgres.url,
    });

  it('run-queue requests a run of the queue', async () => {
    expect(await annals('run-queue')).toMatchObject({ code: 0, stdout: '{"asked":true}\n' });
  });

  it('replay starts replays and rejects the cancellation of a finished one', async () => {
    const { id } = await subscribe('/by-command');
    const { code, stdout } = await annals(
      ...['replay', '--webhook', id, '--from', from, '--to', to, '--dry-run'],
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'done', dryRun: true, events: ACCOUNTS });
    expect((await annals('replay', '--webhook', id)).code).toBe(2);
    const done = JSON.parse(stdout).id;
    const late = await annals('replay', '--webhook', id, '--cancel', done);
    expect(late).toMatchObject({ code: 1, stdout: '' });
    expect(late.stderr).toBe(`Replay ${done} has already ended and cannot be cancelled.\n`);
    expect((await annals('replay', '--from', 'x')).code).toBe(2);
    await api.delete(`/Webhook/${id}`);
  });

  it('dead-letters lists, shows, sends and drops dead letters', async () => {
    subscriber.answer('/dead', 500);
    const { id } = await subscribe('/dead');
    await api.put(`/Webhook/${id}`, { batchSize: 1 });
    await api.post('/Account', anAccount());
    await api.post('/Account', anAccount());
    const letters = await eventually(async () => {
      const { list } = JSON.parse((await annals('dead-letters', 'list', '--webhook', id)).stdout);
      expect(list).toHaveLength(2);
      return list as readonly Readonly<Record<'id' | 'reason' | 'webhookId' | 'url', string>>[];
    }, patience);
    expect(letters[0]?.reason).toBe('HTTP status 500');
    const first = String(letters[0]?.id);
    const shown = JSON.parse((await annals('dead-letters', 'show', first, first)).stdout);
    const body = [{ name: expect.any(String) }];
    expect(shown).toMatchObject({ list: [{ id: first, body }] });
    const both = JSON.parse((await annals('dead-letters', 'show', '--webhook', id)).stdout);
    expect(both).toMatchObject({ list: letters.map((letter) => ({ id: letter.id, body })) });
    for (const line of ['dead-letters send', 'dead-letters list', 'verify --webhooks']) {
      const { code, stdout, stderr } = await annals(...line.split(' '), '--webhook', 'nobodys');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^Webhook nobodys has never existed[.]\n$/);
    }
    const { deadLetters } = JSON.parse((await annals('status')).stdout);
    const url = subscriber.url('/dead');
    expect(deadLetters).toContainEqual({ webhookId: id, url, batches: 2 });
    expect(letters[0]).toMatchObject({ webhookId: id, url });
    const { stdout: diagnosis } = await annals('doctor');
    expect(diagnosis).toContain(`${id} at ${url} (2 batches)`);
    expect((await annals('dead-letters', 'drop')).code).toBe(2);
    expect((await annals('dead-letters', 'drop', first)).code).toBe(2);
    const dropped = await annals('dead-letters', 'drop', first, '--yes');
    expect(JSON.parse(dropped.stdout)).toEqual({ drop: 1 });
    subscriber.answer('/dead', 200);
    const sent = await annals('dead-letters', 'send', '--webhook', id);
    expect(JSON.parse(sent.stdout)).toEqual({ send: 1 });
    await eventually(async () => {
      const { code, stdout } = await annals('verify', '--webhooks', '--webhook', id);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        isClean: true,
        webhooks: [
          {
            matched: 2,
            enqueued: 2,
            delivered: 1,
            dropped: { 'dropped by an operator': 1 },
            waiting: 0,
          },
        ],
      });
    }, patience);
    const traces = subscriber
      .requests('/dead')
      .filter(({ headers }) => headers['webhook-id'] === letters[1]?.id)
      .map(({ headers }) => headers['traceparent']);
    expect(traces.length).toBeGreaterThan(1);
    expect(new Set(traces).size).toBe(1);
  });
});
