import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { topicNames } from '../../shared/kafka/topics.ts';
import { createEntryCodes } from '../../shared/secrets/entry-codes.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { expectRefusal } from '../support/bad-input/send-bad-request.ts';
import { createUserBuilder } from '../support/builders/directory-users.ts';
import { aContact, anAccount } from '../support/builders/record-builders.ts';
import {
  anonymous,
  type Credentials,
  withApiKey,
  withHmacHex,
  withHmacRaw,
  withPassword,
} from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { appendAsAnotherWriter } from '../support/log/append-as-another-writer.ts';
import { createLogReader, type LogReader } from '../support/log/log-reader.ts';

const topicPrefix = `bad-credentials-${process.pid}`;
const topics = topicNames(topicPrefix);
const masterKey = randomBytes(32).toString('hex');

let product: StartedProduct;
let client: ApiClient;
let log: LogReader;
let accountId: string;
let eventsBefore: number;
let users: Awaited<ReturnType<typeof buildUsers>>;

const countEvents = async () =>
  (await log.events(topics.records)).length + (await log.events(topics.directory)).length;

async function buildUsers() {
  const builder = createUserBuilder(createSecretBox(masterKey));
  const inactive = { isActive: false };
  const reader = { rolesIds: [builder.role({ Account: { create: 'no', read: 'all' } })] };
  return {
    events: builder.events,
    inactiveApiKey: builder.withApiKey(inactive),
    inactiveHmac: builder.withHmac(inactive),
    inactivePassword: await builder.withPassword(inactive),
    apiUserWithPassword: await builder.withPassword({ type: 'api', authMethod: 'ApiKey' }),
    withoutRole: builder.withApiKey(),
    reader: builder.withApiKey(reader),
  };
}

beforeAll(async () => {
  product = await startProduct({
    env: { ANNALS_TOPIC_PREFIX: topicPrefix, ANNALS_SECRET_KEY: masterKey },
  });
  const access = product.access();
  client = createApiClient(product.url, anonymous);
  log = createLogReader(access.kafka);
  users = await buildUsers();
  await appendAsAnotherWriter(
    access.kafka,
    { topic: topics.directory, codes: createEntryCodes(masterKey) },
    users.events,
  );
  await eventually(async () =>
    expect((await client.as(withApiKey(users.reader)).get('/Account')).status).toBe(200),
  );
  accountId = recordIn(await client.as(withApiKey(access.apiKey)).post('/Account', anAccount())).id;
  eventsBefore = await countEvents();
});

afterAll(async () => {
  await log?.close();
  client?.close();
  await product?.remove();
});

const header =
  (name: string, value: string): Credentials =>
  () => ({ [name]: value });
const toBase64 = (text: string) => Buffer.from(text).toString('base64');

/**
 * All are rejected with 401. Entries with `password` count as failed logins, of which 9 per minute are
 * allowed.
 */
const strangers: readonly (readonly [who: string, () => Credentials])[] = [
  ['nobody', () => anonymous],
  ['a wrong API key', () => withApiKey({ apiKey: '0'.repeat(32) })],
  [
    'an API key with an extra letter',
    () => withApiKey({ apiKey: `${product.access().apiKey.apiKey}0` }),
  ],
  [
    'an API key in capitals',
    () => withApiKey({ apiKey: product.access().apiKey.apiKey.toUpperCase() }),
  ],
  ['the key of an HMAC user as an API key', () => withApiKey(product.access().hmac)],
  ['a binary API key', () => withApiKey({ apiKey: '\u00ff\u0080' })],
  ['an API key of 8000 characters', () => withApiKey({ apiKey: 'k'.repeat(8_000) })],
  [
    'the key of an API key user as an HMAC key',
    () => withHmacHex({ ...product.access().apiKey, secretKey: product.access().hmac.secretKey }),
  ],
  ['HMAC with a wrong secret', () => withHmacHex({ ...product.access().hmac, secretKey: 's' })],
  ['HMAC for another method', () => (_, path) => withHmacHex(product.access().hmac)('PATCH', path)],
  ['HMAC for another path', () => (method) => withHmacRaw(product.access().hmac)(method, '/Lead')],
  ['HMAC without a colon', () => header('X-Hmac-Authorization', toBase64('nothing'))],
  [
    'HMAC without a hash',
    () => header('X-Hmac-Authorization', toBase64(`${product.access().hmac.apiKey}:`)),
  ],
  ['HMAC with invalid base64', () => header('X-Hmac-Authorization', '%%%')],
  ['Basic with invalid base64', () => header('Authorization', 'Basic ***')],
  ['empty Basic credentials', () => header('Authorization', 'Basic')],
  ['another scheme', () => header('Authorization', `Bearer ${product.access().apiKey.apiKey}`)],
  ['a deactivated API key user', () => withApiKey(users.inactiveApiKey)],
  ['a deactivated HMAC user', () => withHmacHex(users.inactiveHmac)],
  ['a deactivated user with the right password', () => withPassword(users.inactivePassword)],
  ['an API user with a password', () => withPassword(users.apiUserWithPassword)],
  ['a wrong password', () => withPassword({ ...product.access().user, password: 'guess' })],
  ['an unknown user name', () => withPassword({ userName: 'nobody', password: 'guess' })],
  ['__proto__', () => withPassword({ userName: '__proto__', password: '' })],
];

/** Requests that would change something if they were allowed. */
const requests = [
  ['GET', () => `/Account/${accountId}`, undefined],
  ['POST', () => '/Contact', aContact()],
  ['DELETE', () => `/Account/${accountId}`, undefined],
] as const;

const send = async (credentials: Credentials, [method, path, body]: (typeof requests)[number]) =>
  client.send({
    method,
    target: `/api/v1${path()}`,
    headers: {
      ...credentials(method, path()),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

describe('a request', () => {
  it.each(strangers)('is rejected with 401 if it has %s', async (who, credentials) => {
    const tried = /password|user name|__proto__/.test(who) ? requests.slice(2) : requests;
    for (const request of tried) expectRefusal(await send(credentials(), request), 401);
  });

  it('is rejected for a wrong key regardless of other credentials', async () => {
    const { user, apiKey } = product.access();
    const wrongKey: Credentials = (method, path) => ({
      ...withPassword(user)(method, path),
      'X-Api-Key': '0'.repeat(32),
    });
    const wrongHmac: Credentials = (method, path) => ({
      ...withPassword(user)(method, path),
      'X-Hmac-Authorization': 'AAAA',
    });
    const rightKey: Credentials = () => ({
      ...withApiKey(apiKey)('', ''),
      Authorization: 'Basic x',
    });

    expectRefusal(await client.as(wrongKey).get('/Account'), 401);
    expectRefusal(await client.as(wrongHmac).get('/Account'), 401);
    expect((await client.as(rightKey).get('/Account')).status).toBe(200);
  });

  it('makes browsers, but not scripts, prompt for missing credentials', async () => {
    const plain = await client.get('/Account');
    const script = await client.get('/Account', { 'X-Requested-With': 'XMLHttpRequest' });
    const wrong = await client.as(withApiKey({ apiKey: 'wrong' })).get('/Account');

    expect(plain.headers['www-authenticate']).toBe('Basic realm=""');
    expect(script.headers['www-authenticate']).toBeUndefined();
    expect(wrong.headers['www-authenticate']).toBeUndefined();
  });
});

describe('a user', () => {
  it('gets 403 without a role, whether the record exists or not', async () => {
    const nobody = client.as(withApiKey(users.withoutRole));

    expectRefusal(await nobody.get('/Account'), 403);
    expectRefusal(await nobody.get(`/Account/${accountId}`), 403);
    expectRefusal(await nobody.post('/Account', {}), 403);
    expectRefusal(await nobody.put('/Account/unknown', { name: '' }), 403);
    expectRefusal(await nobody.delete(`/Account/${accountId}`), 403);
    expectRefusal(await nobody.get('/Webhook'), 403);
    expectRefusal(
      await nobody.post('/Webhook', { event: 'Account.create', url: 'https://example.org/' }),
      403,
    );
    expect((await nobody.get('/Nonsense')).status).toBe(404);
  });

  it('may not write with read access only', async () => {
    const reader = client.as(withApiKey(users.reader));

    expect(recordIn(await reader.get(`/Account/${accountId}`)).id).toBe(accountId);
    expect(expectRefusal(await reader.post('/Account', anAccount()), 403).message).toMatch(
      /create/,
    );
    const update = await reader.put(`/Account/${accountId}`, { name: 'x' });
    expect(expectRefusal(update, 403).message).toMatch(/edit/);
    expect(expectRefusal(await reader.delete(`/Account/${accountId}`), 403).message).toMatch(
      /delete/,
    );
    expectRefusal(await reader.get('/Contact'), 403);
  });

  it('may not change users and roles without being an administrator', async () => {
    const { apiKey, user } = product.access();
    for (const credentials of [withApiKey(apiKey), withPassword(user)]) {
      const caller = client.as(credentials);
      const { status } = await caller.post('/Role', { name: 'Everything', data: {} });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  });
});

describe('rejected requests with bad credentials', () => {
  it('write nothing to the log', async () => {
    expect(await countEvents()).toBe(eventsBefore);
    expect(product.output()).not.toMatch(/is being started again/);
  });
});

describe('more than ten failed logins within a minute', () => {
  it('block even correct passwords from the address but never a valid API key', async () => {
    const { user, apiKey, hmac } = product.access();
    const guesses: number[] = [];
    while (guesses.at(-1) !== 403 && guesses.length < 12) {
      const guess = withPassword({ ...user, password: `guess ${guesses.length}` });
      guesses.push((await client.as(guess).get('/Account')).status);
    }

    expect(guesses.at(-1)).toBe(403);
    expect(guesses.length).toBeGreaterThan(1);
    expectRefusal(await client.as(withPassword(user)).get('/Account'), 403);
    expect((await client.as(withApiKey(apiKey)).get('/Account')).status).toBe(200);
    expect((await client.as(withHmacHex(hmac)).get('/Account')).status).toBe(200);
  });
});
