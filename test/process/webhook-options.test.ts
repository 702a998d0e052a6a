import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount, unique } from '../support/builders/record-builders.ts';
import { withApiKey, withHmacHex, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { createLogReader } from '../support/log/log-reader.ts';
import { proveWebhookLedgers } from '../support/proofs/prove-webhook-ledgers.ts';
import {
  type ReceivedRequest,
  type Subscriber,
  startSubscriber,
} from '../support/receivers/subscriber.ts';
import { hasStandardSignature } from '../support/receivers/webhook-signatures.ts';

const topicPrefix = `webhook-options-${process.pid}`;
let product: StartedProduct;
let api: ApiClient;
let subscriber: Subscriber;

beforeAll(async () => {
  subscriber = await startSubscriber();
  product = await startProduct({
    env: {
      ANNALS_TOPIC_PREFIX: topicPrefix,
      WEBHOOK_QUEUE_INTERVAL: '0',
      WEBHOOK_QUEUE_EVENT_PORTION_SIZE: '0',
      WEBHOOK_QUEUE_PORTION_SIZE: '0',
      WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
    },
  });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
});

afterAll(async () => {
  api?.close();
  await product?.remove();
  await subscriber?.close();
});

const subscribe = async (path: string, options: object = {}, event = 'Account.create') =>
  recordIn(await api.post('/Webhook', { event, url: subscriber.url(path), ...options }));

const createAccount = async (changes: Readonly<Record<string, unknown>> = {}) =>
  recordIn(await api.post('/Account', anAccount(changes)));

const requestsAt = async (path: string, count = 1): Promise<readonly ReceivedRequest[]> =>
  eventually(() => {
    const found = subscriber.requests(path);
    expect(found.length).toBeGreaterThanOrEqual(count);
    return found;
  });

const asText = ({ headers }: ReceivedRequest) => ({
  'webhook-id': String(headers['webhook-id']),
  'webhook-timestamp': String(headers['webhook-timestamp']),
  'webhook-signature': String(headers['webhook-signature']),
});

describe('the options of a webhook', () => {
  it('have defaults, are stored and can be changed', async () => {
    const plain = await subscribe('/defaults');
    expect(plain).toMatchObject({
      payloadFormat: 'records',
      batchSize: null,
      ordered: false,
      skipOwn: false,
      headers: {},
      xSignatureFormat: 'base64',
      description: null,
      standardSecret: `whsec_${Buffer.from(String(plain['secretKey'])).toString('base64')}`,
    });
    const options = {
      payloadFormat: 'events',
      batchSize: 5,
      ordered: true,
      headers: { Authorization: 'Bearer abc' },
      xSignatureFormat: 'prefixed',
      description: 'for the shop',
    };
    const changed = recordIn(await api.put(`/Webhook/${plain.id}`, options));
    expect(changed).toMatchObject(options);
    expect(recordIn(await api.get(`/Webhook/${plain.id}`))).toEqual(changed);
    expect(changed).not.toHaveProperty('sealedHeaders');
    expect(changed).not.toHaveProperty('previousSecretKey');
    const { versionNumber: _, ...again } = recordIn(await api.put(`/Webhook/${plain.id}`, options));
    expect(again['modifiedAt']).toBe(changed['modifiedAt']);
    expect(recordIn(await api.put(`/Webhook/${plain.id}`, { headers: null }))['headers']).toEqual(
      {},
    );
    await api.delete(`/Webhook/${plain.id}`);
  });

  it('keep skipOwn false while the webhook has no user', async () => {
    const admin = api.as(withPassword(product.access().admin));
    const request = { event: 'Account.create', url: subscriber.url('/nobody'), skipOwn: true };
    const { id, ...created } = recordIn(await admin.post('/Webhook', request));
    expect(created).toMatchObject({ userId: null, skipOwn: false });
    const path = `/Webhook/${id}`;
    const still = recordIn(await admin.put(path, { skipOwn: true }));
    expect(still).toMatchObject({ userId: null, skipOwn: false });
    const bound = recordIn(await admin.put(path, { userId: 'api-key', skipOwn: true }));
    expect(bound).toMatchObject({ userId: 'api-key', skipOwn: true });
    const again = recordIn(await admin.put(path, { userId: null }));
    expect(again).toMatchObject({ userId: null, skipOwn: false });
    await admin.delete(path);
  });

  it('return a warning as long as the webhook has no API User', async () => {
    const admin = api.as(withPassword(product.access().admin));
    const url = subscriber.url('/warned');
    const created = await admin.post('/Webhook', { event: 'Account.create', url });
    expect(created.headers['x-warning']).toMatch(/user/i);
    const path = `/Webhook/${recordIn(created).id}`;
    const bound = await admin.put(path, { userId: 'api-key' });
    expect(bound.headers['x-warning']).toBeUndefined();
    const unbound = await admin.put(path, { userId: null });
    expect(unbound.headers['x-warning']).toMatch(/user/i);
    await admin.delete(path);
  });

  it('cannot be changed without read access, except to deactivate the webhook', async () => {
    const admin = api.as(withPassword(product.access().admin));
    const granted = { Webhook: true, Lead: { read: 'all' } };
    const role = recordIn(await admin.post('/Role', { name: 'Reader', data: granted }));
    const user = { userName: 'reader', type: 'api', rolesIds: [role.id] };
    const { apiKey } = recordIn(await admin.post('/User', user));
    const reader = api.as(withApiKey({ apiKey: String(apiKey) }));
    const request = { event: 'Lead.update', url: subscriber.url('/reader') };
    const path = `/Webhook/${recordIn(await reader.post('/Webhook', request)).id}`;
    await admin.put(`/Role/${role.id}`, { data: { Webhook: true, Lead: false } });
    const refused = { status: 403, body: { code: 'webhook.entity_forbidden' } };
    expect(await reader.put(path, { description: 'mine' })).toMatchObject(refused);
    const off = await reader.put(path, { isActive: false });
    expect(recordIn(off)).toMatchObject({ isActive: false, description: null });
    expect(await reader.put(path, { isActive: true })).toMatchObject(refused);
    expect((await reader.delete(path)).text).toBe('true');
  });

  it.each([
    [{ payloadFormat: 'xml' }, 'payloadFormat'],
    [{ batchSize: 0 }, 'batchSize'],
    [{ batchSize: 51 }, 'batchSize'],
    [{ batchSize: 1.5 }, 'batchSize'],
    [{ xSignatureFormat: 'hex' }, 'xSignatureFormat'],
    [{ headers: { Host: 'internal' } }, 'headers'],
    [{ headers: { 'X-A': 'a\r\nX-B: b' } }, 'headers'],
    [{ headers: 'X-A: b' }, 'headers'],
  ])('are rejected for %j with the name of the field', async (options, field) => {
    const url = subscriber.url('/refused');
    const created = await api.post('/Webhook', { event: 'Account.create', url, ...options });
    const { id } = await subscribe('/changed');
    const changed = await api.put(`/Webhook/${id}`, options);
    for (const answer of [created, changed]) {
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ errors: [{ field }] });
    }
    await api.delete(`/Webhook/${id}`);
  });

  it("add the subscriber's headers to every request without exposing their values", async () => {
    const value = unique('Bearer secret-');
    const { id } = await subscribe('/headers', {
      headers: { Authorization: value, 'X-Tenant': 't' },
    });
    await createAccount();
    const [request] = await requestsAt('/headers');
    expect(request?.headers).toMatchObject({ authorization: value, 'x-tenant': 't' });

    const log = createLogReader(inject('kafka'));
    const messages = (await log.messages(topicNames(topicPrefix).directory)).flat();
    await log.close();
    expect(messages.filter((message) => message.key?.includes(id))).not.toEqual([]);
    expect(messages.some((message) => message.value?.includes(value) === true)).toBe(false);
    const history = await api.get(`/Webhook/${id}/history`);
    expect(history.text).not.toContain(value);
    await api.delete(`/Webhook/${id}`);
  });

  it('limit the size of its batches', async () => {
    await subscribe('/small', { batchSize: 2 });
    await Promise.all(Array.from({ length: 7 }, async () => createAccount()));
    await eventually(() => expect(subscriber.events('/small')).toHaveLength(7));
    const sizes = subscriber.requests('/small').map(({ body }) => JSON.parse(`${body}`).length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2);
  });

  it('select events with gapless sequence numbers across a dispatcher restart', async () => {
    await subscribe('/events', { payloadFormat: 'events' }, 'Account.fieldUpdate.sicCode');
    const { id } = await createAccount({ sicCode: '0' });
    for (const sicCode of ['1', '2', '3']) await api.put(`/Account/${id}`, { sicCode });
    await eventually(() => expect(subscriber.events('/events')).toHaveLength(3));
    product.kill('dispatcher');
    await product.waitUntilReady('dispatcher');
    for (const sicCode of ['4', '5']) await api.put(`/Account/${id}`, { sicCode });
    // Requests that were not recorded before the crash were sent twice.
    const distinct = () => [
      ...new Map(subscriber.events('/events').map((event) => [event['id'], event])).values(),
    ];
    await eventually(() => expect(distinct()).toHaveLength(5));

    const events = distinct();
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    const byApiKey = { modifiedById: 'api-key', modifiedByName: 'api-key' };
    expect(events[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event: 'Account.fieldUpdate.sicCode',
      data: { id, sicCode: '1', modifiedAt: expect.any(String), ...byApiKey },
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actorId: 'api-key',
      version: 2,
      sequence: 1,
      previous: { sicCode: '0' },
    });
  });
});

describe('a delivery', () => {
  it('is accepted by the published verifiers of Standard Webhooks and Svix', async () => {
    const webhook = await subscribe('/verified');
    await createAccount({ description: 'Größe “漢字” \u{1f642}' });
    const [request] = await requestsAt('/verified');
    if (request === undefined) throw new Error('no request was received');

    const headers = asText(request);
    const payload = request.body.toString();
    for (const Verifier of [StandardWebhook, SvixWebhook]) {
      const verifier = new Verifier(String(webhook['standardSecret']));
      expect(() => verifier.verify(payload, headers)).not.toThrow();
      expect(() => verifier.verify(`${payload} `, headers)).toThrow();
    }
  });

  it('is signed with both secrets for a day after a rotation', async () => {
    const before = await subscribe('/rotated', { xSignatureFormat: 'prefixed' });
    const answer = await api.post(`/Webhook/${before.id}/rotateSecret`);
    expect(answer.status).toBe(200);
    const after = recordIn(answer);
    expect(after['secretKey']).toMatch(/^[0-9a-f]{64}$/);
    expect(after['secretKey']).not.toBe(before['secretKey']);
    const until = Date.parse(`${String(after['previousSecretUntil']).replace(' ', 'T')}Z`);
    expect(Math.abs(until - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
    await createAccount();
    const [request] = await requestsAt('/rotated');
    if (request === undefined) throw new Error('no request was received');

    for (const { secretKey } of [before, after]) {
      expect(hasStandardSignature(request, String(secretKey))).toBe(true);
    }
    for (const { standardSecret } of [before, after]) {
      const verifier = new StandardWebhook(String(standardSecret));
      verifier.verify(request.body.toString(), asText(request));
    }
    const prefix = Buffer.from(String(request.headers['x-signature']), 'base64')
      .subarray(0, before.id.length + 1)
      .toString();
    expect(prefix).toBe(`${before.id}:`);
  });

  it('does not reveal its secret to other users', async () => {
    const { id } = await subscribe('/foreign');
    const other = api.as(withHmacHex(product.access().hmac));
    expect((await other.post(`/Webhook/${id}/rotateSecret`)).status).toBe(403);
    expect((await other.get(`/Webhook/${id}`)).status).toBe(403);
    expect((await api.post('/Webhook/none/rotateSecret')).status).toBe(404);
  });
});

it('the ledger of every webhook is balanced after these tests', async () => {
  await proveWebhookLedgers({ kafka: product.access().kafka, topicPrefix });
});
