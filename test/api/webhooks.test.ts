import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedAnnals, startAnnals } from '../support/annals/start-annals.ts';
import {
  type ApiClient,
  createApiClient,
  recordIn,
  type WireRecord,
} from '../support/api-client.ts';
import { aContact, anAccount, unique } from '../support/builders/record-builders.ts';
import { withApiKey, withHmacHex } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { proveWebhookLedgers } from '../support/proofs/prove-webhook-ledgers.ts';
import { withoutFollowing } from '../support/proofs/without-following.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import {
  type ReceivedRequest,
  type Subscriber,
  startSubscriber,
} from '../support/receivers/subscriber.ts';
import {
  hasStandardSignature,
  signatureOf,
  xSignatureOf,
} from '../support/receivers/webhook-signatures.ts';

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

const subscribe = async (event: string, path: string, options: object = {}) =>
  registerWebhook(api, { event, url: subscriber.url(path), ...options });

const createAccount = async (changes: object = {}): Promise<WireRecord> =>
  recordIn(await api.post('/Account', anAccount({ ...changes })));

/** Returns the payloads of one record as soon as there are `count` of them. */
const payloadsOf = async (path: string, recordId: string, count: number) =>
  eventually(() => {
    const found = subscriber.events(path).filter(({ id }) => id === recordId);
    expect(found).toHaveLength(count);
    return found;
  });

const onlyRequest = async (path: string): Promise<ReceivedRequest> =>
  eventually(() => {
    const [request, ...more] = subscriber.requests(path);
    expect(more).toEqual([]);
    if (request === undefined) throw new Error(`no request was received at ${path}`);
    return request;
  });

/** The attributes at the end of every update payload. */
const modification = {
  modifiedAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  modifiedById: 'api-key',
  modifiedByName: 'api-key',
};

describe('a subscriber', () => {
  it('registers an event and a URL and receives the webhook with its secret', async () => {
    const answer = await api.post('/Webhook', {
      event: 'Lead.fieldUpdate.status',
      url: subscriber.url('/registered'),
    });

    expect(answer.status).toBe(201);
    const webhook = recordIn(answer);
    expect(webhook).toMatchObject({
      event: 'Lead.fieldUpdate.status',
      entityType: 'Lead',
      type: 'fieldUpdate',
      field: 'status',
      url: subscriber.url('/registered'),
      isActive: true,
      deleted: false,
      secretKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      createdById: 'api-key',
    });
    expect(webhook['modifiedAt']).toBe(webhook['createdAt']);
    expect(recordIn(await api.get(`/Webhook/${webhook.id}`))).toEqual(webhook);

    const deleted = await api.delete(`/Webhook/${webhook.id}`);
    expect([deleted.status, deleted.text]).toEqual([200, 'true']);
    expect((await api.get(`/Webhook/${webhook.id}`)).status).toBe(404);
  });

  it('receives a warning for a host name that does not resolve yet', async () => {
    const webhook = { event: 'Account.delete', url: 'https://nowhere.invalid:9443/' };
    const answer = await api.post('/Webhook', webhook);
    expect(answer.status, answer.text).toBe(201);
    // Present only if a field is watched.
    expect(recordIn(answer)).not.toHaveProperty('field');
    expect(answer.headers['x-warning']).toMatch(/^Nothing can be delivered to url for now: /);
    expect((await api.delete(`/Webhook/${recordIn(answer).id}`)).status).toBe(200);
  });

  it('cannot register a URL with a forbidden address or change to one', async () => {
    const url = subscriber.url('/judged');
    const internal = url.replace('127.0.0.1', '0x7f.2');
    const problem = { field: 'url', type: 'notInternal' };
    const refused = await api.post('/Webhook', { event: 'Account.create', url: internal });
    expect([refused.status, refused.body]).toMatchObject([400, { errors: [problem] }]);

    const { id } = await registerWebhook(api, { event: 'Account.delete', url });
    const changed = await api.put(`/Webhook/${id}`, { url: internal, isActive: false });
    expect([changed.status, changed.body]).toMatchObject([400, { errors: [problem] }]);
    expect(recordIn(await api.get(`/Webhook/${id}`))).toMatchObject({ url, isActive: true });
    const kept = await api.put(`/Webhook/${id}`, { url, isActive: false });
    expect(recordIn(kept)).toMatchObject({ url, isActive: false });
    await api.delete(`/Webhook/${id}`);
  });

  it('receives the whole record after its creation', async () => {
    await subscribe('Account.create', '/create');
    const created = await createAccount();

    const [payload] = await payloadsOf('/create', created.id, 1);
    expect(withoutFollowing(Object(payload))).toEqual(withoutFollowing(created));
  });

  it('receives the name of a linked record', async () => {
    await subscribe('Contact.create', '/linked');
    const account = await createAccount();
    const contact = recordIn(await api.post('/Contact', aContact({ accountId: account.id })));

    const [payload] = await payloadsOf('/linked', contact.id, 1);
    expect(payload).toMatchObject({ accountId: account.id, accountName: account['name'] });
  });

  it('receives the changed attributes and the author of an update', async () => {
    await subscribe('Account.update', '/update');
    const { id } = await createAccount({ type: 'Customer', sicCode: '1' });
    await api.put(`/Account/${id}`, { sicCode: '2', type: 'Customer', description: 'new' });

    expect(await payloadsOf('/update', id, 1)).toEqual([
      { id, sicCode: '2', description: 'new', ...modification },
    ]);
  });

  it('receives the id of a deleted record', async () => {
    await subscribe('Account.delete', '/delete');
    const { id } = await createAccount();
    await api.delete(`/Account/${id}`);

    expect(await payloadsOf('/delete', id, 1)).toEqual([{ id }]);
  });

  it('receives all attributes of a watched field when one of them changes', async () => {
    await subscribe('Account.fieldUpdate.billingAddress', '/field');
    const { id } = await createAccount({ billingAddressCity: 'Berlin' });
    await api.put(`/Account/${id}`, { description: 'not the address' });
    await api.put(`/Account/${id}`, { billingAddressCity: 'Bonn' });

    expect(await payloadsOf('/field', id, 1)).toEqual([
      {
        id,
        billingAddressStreet: '1 Main Street\n2nd floor',
        billingAddressCity: 'Bonn',
        billingAddressState: null,
        billingAddressCountry: null,
        billingAddressPostalCode: '10115',
        ...modification,
      },
    ]);
  });

  it('receives all e-mail addresses when one is added, and the name of the linked record when a link changes', async () => {
    await subscribe('Contact.fieldUpdate.emailAddress', '/email');
    await subscribe('Contact.fieldUpdate.account', '/link');
    const account = await createAccount();
    const { id } = recordIn(await api.post('/Contact', aContact()));
    const change = { emailAddress: 'New@example.org', accountId: account.id };
    const changed = recordIn(await api.put(`/Contact/${id}`, change));

    const { emailAddress, emailAddressData, emailAddressIsOptedOut } = changed;
    expect(emailAddress).toBe('New@example.org');
    expect(await payloadsOf('/email', id, 1)).toEqual([
      {
        id,
        emailAddress,
        emailAddressData,
        emailAddressIsOptedOut,
        emailAddressIsInvalid: false,
        ...modification,
      },
    ]);
    expect(await payloadsOf('/link', id, 1)).toEqual([
      { id, accountId: account.id, accountName: account['name'], ...modification },
    ]);
  });

  it('may name a field by one of its attributes', async () => {
    await subscribe('Account.fieldUpdate.assignedUserId', '/by-attribute');
    const { id } = await createAccount();
    await api.put(`/Account/${id}`, { assignedUserId: 'user' });

    const [payload] = await payloadsOf('/by-attribute', id, 1);
    expect(payload).toMatchObject({ id, assignedUserId: 'user' });
  });

  it('receives nothing for an update that changes nothing', async () => {
    await subscribe('Account.update', '/unchanged');
    const { id } = await createAccount({ sicCode: 'same' });
    await api.put(`/Account/${id}`, { sicCode: 'same', modifiedAt: '2001-01-01 00:00:00' });
    await api.put(`/Account/${id}`, { sicCode: 'other' });

    expect(await payloadsOf('/unchanged', id, 1)).toMatchObject([{ sicCode: 'other' }]);
  });

  it('receives no events from before its registration', async () => {
    const before = await createAccount();
    await subscribe('Account.create', '/late');
    const after = await createAccount();

    await payloadsOf('/late', after.id, 1);
    expect(subscriber.events('/late').map(({ id }) => id)).not.toContain(before.id);
  });

  it('receives nothing while its webhook is inactive and everything afterwards', async () => {
    const { id } = await subscribe('Account.create', '/inactive', { isActive: false });
    const missed = await createAccount();
    expect(recordIn(await api.put(`/Webhook/${id}`, { isActive: true }))).toMatchObject({
      isActive: true,
    });
    const seen = await createAccount();

    await payloadsOf('/inactive', seen.id, 1);
    expect(subscriber.events('/inactive').map((event) => event['id'])).not.toContain(missed.id);
  });

  it('does not receive its own changes if its webhook skips them', async () => {
    await subscribe('Account.create', '/skip-own', { skipOwn: true });
    const own = await createAccount();
    const other = api.as(withHmacHex(annals.hmac));
    const { id } = recordIn(await other.post('/Account', anAccount()));

    await payloadsOf('/skip-own', id, 1);
    expect(subscriber.events('/skip-own').map((event) => event['id'])).not.toContain(own.id);
  });
});

describe('a request to a subscriber', () => {
  it('contains a signature that the subscriber can verify over its plain JSON body', async () => {
    const webhook = await subscribe('Account.create', '/signed');
    const name = unique('“Größe” 漢字 \u{1f642} {script} \u2028');
    await createAccount({ name, description: '\u0001 \\ "' });
    const request = await onlyRequest('/signed');

    const { headers, body, method } = request;
    const text = body.toString();
    expect(method).toBe('POST');
    expect(text).toBe(JSON.stringify(JSON.parse(text)));
    expect(JSON.parse(text)).toMatchObject([{ name }]);
    expect(headers['x-signature']).toBe(xSignatureOf(request, webhook.secretKey));
    expect(headers['signature']).toBe(signatureOf(request, webhook));
    expect(hasStandardSignature(request, webhook.secretKey)).toBe(true);
    expect(hasStandardSignature(request, 'another secret')).toBe(false);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-webhook-id': webhook.id,
      'x-webhook-event': 'Account.create',
      'x-webhook-attempt': '1',
      'user-agent': expect.stringMatching(/^Annals-Webhooks\/\S+$/),
      'webhook-id': expect.stringMatching(/^\S+$/),
    });
  });

  it('contains at most 50 events and keeps the order of each record', async () => {
    await subscribe('Account.create', '/many');
    const records = await Promise.all(Array.from({ length: 130 }, async () => createAccount()));
    await eventually(() => expect(subscriber.events('/many')).toHaveLength(records.length));

    const requests = subscriber.requests('/many');
    const sizes = requests.map(({ body }) => JSON.parse(body.toString()).length);
    expect(Math.max(...sizes)).toBe(50);
    expect(new Set(subscriber.events('/many').map(({ id }) => id))).toEqual(
      new Set(records.map(({ id }) => id)),
    );
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(
      requests.length,
    );
  });

  it('contains the changes of a record in order', async () => {
    await subscribe('Account.fieldUpdate.sicCode', '/ordered');
    const { id } = await createAccount();
    const codes = Array.from({ length: 30 }, (_, index) => `${index}`);
    for (const sicCode of codes) await api.patch(`/Account/${id}`, { sicCode });

    const payloads = await payloadsOf('/ordered', id, codes.length);
    expect(payloads.map(({ sicCode }) => sicCode)).toEqual(codes);
  });

  it('can contain a record as large as the largest request to the API', async () => {
    await subscribe('Account.create', '/large-create');
    await subscribe('Account.update', '/large-update');
    const created = await createAccount({ description: 'ä'.repeat(500_000) });
    const description = '\u0001'.repeat(170_000);
    const updated = recordIn(await api.put(`/Account/${created.id}`, { description }));
    expect(recordIn(await api.get(`/Account/${created.id}`))).toEqual(updated);

    const [whole] = await payloadsOf('/large-create', created.id, 1);
    expect(withoutFollowing(Object(whole))).toEqual(withoutFollowing(created));
    expect(await payloadsOf('/large-update', created.id, 1)).toMatchObject([{ description }]);
  });
});

it('the ledger of every webhook is balanced after these tests', async () => {
  await proveWebhookLedgers(annals);
});
