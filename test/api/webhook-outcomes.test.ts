import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { decodeWebhookAttempt } from '../../shared/events/webhook-attempt-codec.ts';
import { decodeWebhookBatch } from '../../shared/events/webhook-batch-codec.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { createLogReader, type LogReader } from '../support/log/log-reader.ts';
import { proveWebhookLedgers } from '../support/proofs/prove-webhook-ledgers.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';
import { hasStandardSignature, xSignatureOf } from '../support/receivers/webhook-signatures.ts';

let annals: StartedAnnals;
let api: ApiClient;
let log: LogReader;
let subscriber: Subscriber;

beforeAll(async () => {
  subscriber = await startSubscriber();
  annals = await startAnnals({
    env: {
      WEBHOOK_QUEUE_INTERVAL: '1s',
      WEBHOOK_FAIL_ATTEMPT_PERIOD: '1s',
      WEBHOOK_CONNECT_TIMEOUT: '1s',
      WEBHOOK_TIMEOUT: '1s',
      WEBHOOK_ALLOWED_ADDRESSES: `${subscriber.address},127.0.0.1:1`,
    },
  });
  api = createApiClient(annals.url, withApiKey(annals.apiKey));
  log = createLogReader(annals.kafka);
});

afterAll(async () => {
  await log?.close();
  api?.close();
  await annals?.stop();
  await subscriber?.close();
});

const createAccount = async () => recordIn(await api.post('/Account', anAccount()));

const subscribed: string[] = [];

const subscribe = async (path: string, url = subscriber.url(path)) => {
  const webhook = await registerWebhook(api, { event: 'Account.create', url });
  subscribed.push(webhook.id);
  return webhook;
};

const unsubscribe = async (id: string) => api.delete(`/Webhook/${id}`);

afterEach(async () => {
  for (const id of subscribed.splice(0)) await unsubscribe(id);
});

const attemptsOf = async (webhookId: string) =>
  (await log.messages(topicNames(annals.topicPrefix).webhookAttempts))
    .flat()
    .map(({ value }) => decodeWebhookAttempt(value))
    .filter((attempt) => attempt.webhookId === webhookId);

const deadLettersOf = async (webhookId: string) =>
  (await log.messages(topicNames(annals.topicPrefix).webhookDeadLetters))
    .flat()
    .map(({ value }) => decodeWebhookBatch(value))
    .filter((batch) => batch.webhookId === webhookId);

const patience = { timeoutMs: 20_000, intervalMs: 100 };

describe('an endpoint', () => {
  it('receives the same batch four times before the batch becomes a dead letter', async () => {
    const webhook = await subscribe('/failing');
    subscriber.answer('/failing', 500);
    const { id } = await createAccount();
    const [deadLetter] = await eventually(async () => {
      const letters = await deadLettersOf(webhook.id);
      expect(letters).toHaveLength(1);
      return letters;
    }, patience);

    const requests = subscriber.requests('/failing');
    const header = (name: string) => requests.map(({ headers }) => headers[name]);
    expect(header('x-webhook-attempt')).toEqual(['1', '2', '3', '4']);
    expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(header('webhook-id')).toEqual(Array(4).fill(deadLetter?.batchId));
    expect(header('x-signature')).toEqual(
      requests.map((request) => xSignatureOf(request, webhook.secretKey)),
    );
    expect(requests.every((request) => hasStandardSignature(request, webhook.secretKey))).toBe(
      true,
    );
    expect(new Set(header('webhook-timestamp')).size).toBe(4);
    const waits = requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(990);
    expect(deadLetter?.attemptsMade).toBe(4);
    expect(deadLetter?.events.map(({ recordId }) => recordId)).toEqual([id]);
    expect(await attemptsOf(webhook.id)).toMatchObject([
      { attempt: 1, outcome: 'retry', status: 500 },
      { attempt: 2, outcome: 'retry', status: 500 },
      { attempt: 3, outcome: 'retry', status: 500 },
      { attempt: 4, outcome: 'dead', status: 500, reason: expect.stringContaining('500') },
    ]);
  });

  it('receives the same batch again after any response except 2xx and 410', async () => {
    const statuses = [302, 400, 401, 403, 404, 405, 408, 418, 429, 502, 503];
    const paths = statuses.map((status) => `/once-${status}`);
    await Promise.all(paths.map(async (path) => subscribe(path)));
    for (const status of statuses) subscriber.answer(`/once-${status}`, status);
    const { id } = await createAccount();
    await eventually(
      () => expect(paths.map((path) => subscriber.requests(path).length)).not.toContain(0),
      patience,
    );
    for (const path of paths) subscriber.answer(path, 200);
    await eventually(
      () => expect(paths.map((path) => subscriber.requests(path).length)).not.toContain(1),
      patience,
    );

    for (const path of paths) {
      const [first, second, ...more] = subscriber.requests(path);
      expect(second?.body).toEqual(first?.body);
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      expect(subscriber.events(path).slice(0, 2)).toMatchObject([{ id }, { id }]);
      expect(more).toEqual([]);
    }
  });

  it('loses its webhook and receives no further request after responding with 410', async () => {
    const webhook = await subscribe('/gone');
    subscriber.answer('/gone', 410);
    await createAccount();
    await eventually(
      async () => expect((await api.get(`/Webhook/${webhook.id}`)).status).toBe(404),
      patience,
    );
    await subscribe('/gone-witness');
    const { id } = await createAccount();
    await eventually(() => expect(subscriber.events('/gone-witness')).toHaveLength(1), patience);

    expect(subscriber.requests('/gone')).toHaveLength(1);
    expect(subscriber.events('/gone').map((event) => event['id'])).not.toContain(id);
    const { list } = listIn(await api.get('/Webhook?maxSize=200'));
    expect(list.map((listed) => listed.id)).not.toContain(webhook.id);
    expect(await deadLettersOf(webhook.id)).toEqual([]);
  });

  it('is retried when it refuses connections', async () => {
    const url = 'http://127.0.0.1:1/nobody-listens';
    const webhook = await subscribe('', url);
    await createAccount();
    await eventually(
      async () => expect((await attemptsOf(webhook.id)).length).toBeGreaterThanOrEqual(2),
      patience,
    );

    const [first, second] = await attemptsOf(webhook.id);
    expect(first).toMatchObject({ attempt: 1, outcome: 'retry', status: null });
    expect(first?.reason).toMatch(/connect/i);
    expect(second).toMatchObject({ attempt: 2, batchId: first?.batchId });
  });

  it('receives no further request when its webhook is deleted before a retry', async () => {
    const webhook = await subscribe('/unsubscribed');
    subscriber.answer('/unsubscribed', 500);
    await createAccount();
    await eventually(() => expect(subscriber.requests('/unsubscribed')).toHaveLength(1), patience);
    await unsubscribe(webhook.id);
    await eventually(
      async () =>
        expect(await attemptsOf(webhook.id)).toContainEqual(
          expect.objectContaining({ outcome: 'dropped', status: null }),
        ),
      patience,
    );

    expect(subscriber.requests('/unsubscribed')).toHaveLength(1);
  });

  it('does not delay other endpoints when it fails', async () => {
    await subscribe('/neighbour-fails');
    const healthy = await subscribe('/neighbour-works');
    subscriber.answer('/neighbour-fails', 500);
    for (const _ of [1, 2, 3]) await createAccount();

    await eventually(() => expect(subscriber.events('/neighbour-works')).toHaveLength(3), patience);
    expect(await attemptsOf(healthy.id)).not.toContainEqual(
      expect.objectContaining({ outcome: 'retry' }),
    );
  });
});

describe('a batch that is due while its webhook is inactive', () => {
  it('is sent when the webhook is active again', async () => {
    const webhook = await subscribe('/held');
    subscriber.answer('/held', 500);
    const { id } = await createAccount();
    await eventually(() => expect(subscriber.requests('/held')).toHaveLength(1), patience);
    await api.put(`/Webhook/${webhook.id}`, { isActive: false });
    subscriber.answer('/held', 200);
    await subscribe('/held-witness');
    await createAccount();
    await eventually(() => expect(subscriber.events('/held-witness')).toHaveLength(1), patience);
    expect(subscriber.requests('/held')).toHaveLength(1);

    await api.put(`/Webhook/${webhook.id}`, { isActive: true });
    await eventually(() => expect(subscriber.requests('/held')).toHaveLength(2), patience);

    expect(subscriber.events('/held')).toMatchObject([{ id }, { id }]);
  });
});

it('the ledger of every webhook is balanced after these tests', async () => {
  await proveWebhookLedgers(annals);
});
