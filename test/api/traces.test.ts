import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';

interface Trace {
  readonly kind: string;
  readonly isComplete: boolean;
  readonly steps: readonly Readonly<Record<string, unknown>>[];
}

let annals: StartedAnnals;
let api: ApiClient;
let admin: ApiClient;
let subscriber: Subscriber;

beforeAll(async () => {
  subscriber = await startSubscriber();
  annals = await startAnnals({
    env: { WEBHOOK_QUEUE_INTERVAL: '1s', WEBHOOK_ALLOWED_ADDRESSES: subscriber.address },
  });
  api = createApiClient(annals.url, withApiKey(annals.apiKey));
  admin = api.as(withPassword(annals.admin));
});
afterAll(async () => {
  api?.close();
  await annals?.stop();
  await subscriber?.close();
});

const patience = { timeoutMs: 20_000, intervalMs: 100 };

function aRequest() {
  const requestId = randomBytes(16).toString('hex');
  return { requestId, headers: { traceparent: `00-${requestId}-00f067aa0ba902b7-01` } };
}

async function readTrace(id: string): Promise<Trace> {
  const { status, body } = await admin.get(`/System/traces/${id}`);
  expect([status, status === 200 ? undefined : body]).toEqual([200, undefined]);
  return body as unknown as Trace;
}

const kindsIn = ({ steps }: Trace) => steps.map(({ kind }) => kind);

describe('GET System/traces/{id}', () => {
  it('returns the change, delivery and response of a request, also by record, batch and webhook', async () => {
    const url = subscriber.url('/traced');
    const webhook = recordIn(await api.post('/Webhook', { event: 'Account.create', url }));
    await api.post('/Webhook', { event: 'Lead.create', url: subscriber.url('/other') });
    const { requestId, headers } = aRequest();
    const account = recordIn(await api.post('/Account', anAccount(), headers));

    const trace = await eventually(async () => {
      const found = await readTrace(requestId);
      expect(kindsIn(found)).toEqual(['event', 'batch', 'attempt']);
      return found;
    }, patience);
    const [event, batch, attempt] = trace.steps;
    expect(trace).toMatchObject({ id: requestId, kind: 'request', isComplete: true });
    expect(event).toMatchObject({
      entityType: 'Account',
      id: account.id,
      name: account['name'],
      type: 'created',
      version: 1,
      requestId,
      changed: expect.arrayContaining(['name']),
    });
    expect(batch).toMatchObject({ webhookId: webhook.id, url, event: 'Account.create', events: 1 });
    expect(attempt).toMatchObject({
      batchId: batch?.['batchId'],
      number: 1,
      outcome: 'delivered',
      status: 200,
    });

    for (const [kind, id] of [
      ['record', account.id],
      ['batch', String(batch?.['batchId'])],
      ['webhook', webhook.id],
    ] as const) {
      const same = await readTrace(id);
      expect(same).toMatchObject({ id, kind, isComplete: true });
      expect([kind, kindsIn(same)]).toEqual([kind, ['event', 'batch', 'attempt']]);
      expect(same.steps[0]).toMatchObject({ id: account.id, requestId });
    }
  });

  it('names the changes of the directory without values', async () => {
    const { requestId, headers } = aRequest();
    const body = { userName: 'traced', password: 'a secret password', type: 'regular' };
    const user = recordIn(await admin.post('/User', { ...body, lastName: 'Traced' }, headers));
    const trace = await eventually(async () => {
      const found = await readTrace(requestId);
      expect(found.steps.filter(({ kind }) => kind === 'event')).not.toEqual([]);
      return found;
    }, patience);
    expect(trace.steps).toContainEqual(
      expect.objectContaining({ kind: 'event', entityType: 'User', id: user.id }),
    );
    expect(JSON.stringify(trace)).not.toMatch(/scrypt|a secret password/);
  });

  it('returns why a request failed, and no steps for a request that changed nothing', async () => {
    const failed = aRequest();
    await api.post('/Account?x=secret', { name: '' }, failed.headers);
    expect(await readTrace(failed.requestId)).toMatchObject({
      kind: 'request',
      steps: [
        {
          kind: 'failure',
          method: 'POST',
          path: '/api/v1/Account',
          status: 400,
          reason: expect.stringContaining('name'),
        },
      ],
    });
    const reading = aRequest();
    await api.get('/Account', reading.headers);
    expect(await readTrace(reading.requestId)).toMatchObject({ kind: 'request', steps: [] });
  });

  it('is limited to 100 events of a request and 20 of a record', async () => {
    const { requestId, headers } = aRequest();
    const { id } = recordIn(await api.post('/Contact', { lastName: 'Version 1' }, headers));
    for (let version = 2; version <= 101; version++) {
      await api.put(`/Contact/${id}`, { lastName: `Version ${version}` }, headers);
    }
    const ofRequest = await readTrace(requestId);
    expect([ofRequest.steps.length, ofRequest.isComplete]).toEqual([100, false]);
    const ofRecord = await readTrace(id);
    expect([ofRecord.steps.length, ofRecord.isComplete]).toEqual([20, false]);
    expect(ofRecord.steps.at(-1)).toMatchObject({ version: 101 });
  });

  it('is for administrators, and rejects unknown ids', async () => {
    expect((await api.get('/System/traces/x')).status).toBe(403);
    for (const id of ['missing', 'a%00b', '0'.repeat(31), 'constructor']) {
      const { status, body } = await admin.get(`/System/traces/${id}`);
      expect([id, status, Object(body).code]).toEqual([id, 404, 'trace.not_found']);
    }
  });
});
