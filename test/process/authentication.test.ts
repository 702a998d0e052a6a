import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { expectRefusal } from '../support/bad-input/send-bad-request.ts';
import {
  anonymous,
  withApiKey,
  withEspo,
  withHmacGlued,
  withHmacHex,
  withHmacRaw,
  withPassword,
  withToken,
} from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { createLogReader } from '../support/log/log-reader.ts';

const topicPrefix = `authentication-${process.pid}`;
const topics = topicNames(topicPrefix);

let product: StartedProduct;
/** Two clients with a connection each; the load balancer assigns them to different apis. */
let clients: readonly [ApiClient, ApiClient];
/** Values that must not appear in the log. */
const secrets: string[] = [];

beforeAll(async () => {
  product = await startProduct({
    env: { ANNALS_TOPIC_PREFIX: topicPrefix, ANNALS_API_INSTANCES: '2' },
  });
  await eventually(connectToBoth, { timeoutMs: 30_000 });
});

/**
 * Reconnects until each api has one of the clients, as its log shows: the load balancer skips apis that are
 * not ready.
 */
async function connectToBoth(): Promise<void> {
  for (const client of clients ?? []) client.close();
  clients = [createApiClient(product.url, anonymous), createApiClient(product.url, anonymous)];
  const marks = clients.map(() => `/nothing-${randomUUID()}`);
  for (const [index, client] of clients.entries()) await client.get(marks[index] ?? '');
  await sleep(200);
  const served = ['api', 'api2'].map((instance) => {
    const lines = readFileSync(join(product.dataDir, 'logs', `${instance}.log`), 'utf8');
    return marks.filter((mark) => lines.includes(mark)).length;
  });
  expect(served).toEqual([1, 1]);
}

afterAll(async () => {
  for (const client of clients ?? []) client.close();
  await product?.remove();
});

interface AppUser {
  readonly user: Readonly<Record<string, unknown>>;
  readonly acl: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly token: string | null;
  readonly settings: Readonly<Record<string, unknown>>;
}

async function appUser(client: ApiClient, headers = {}): Promise<AppUser> {
  const { status, body, text } = await client.get('/App/user', headers);
  expect([status, text]).toEqual([200, expect.anything()]);
  return body as AppUser;
}

const named = ({ userName, password }: { userName: string; password: string }) => ({
  userName,
  secret: password,
});

async function logIn(who: { userName: string; password: string }) {
  const { token } = await appUser(clients[0].as(withEspo(named(who))));
  expect(token).toMatch(/^[0-9a-f]{32}$/);
  secrets.push(token ?? '');
  return { userName: who.userName, secret: token ?? '' };
}

const status = async (client: ApiClient, headers = {}) =>
  (await client.get('/Account', headers)).status;

describe('App/user', () => {
  it('identifies the caller and returns a token only with Espo-Authorization', async () => {
    const { admin, user, apiKey, hmac } = product.access();
    for (const [credentials, expected] of [
      [withApiKey(apiKey), { userName: apiKey.userName, type: 'api', isAdmin: false }],
      [withHmacHex(hmac), { userName: hmac.userName, type: 'api', isAdmin: false }],
      [withHmacRaw(hmac), { userName: hmac.userName, type: 'api', isAdmin: false }],
      [withHmacGlued(hmac), { userName: hmac.userName, type: 'api', isAdmin: false }],
      [withPassword(user), { userName: user.userName, type: 'regular', isAdmin: false }],
      [withPassword(admin), { userName: admin.userName, type: 'admin', isAdmin: true }],
    ] as const) {
      const body = await appUser(clients[0].as(credentials));
      expect(body).toMatchObject({
        user: expected,
        token: null,
        preferences: {},
        settings: { version: packageJson.version },
        language: 'en_US',
        appParams: { maxUploadSize: 20, timeZoneList: ['UTC'], auth2FARequired: false },
      });
      expect(Object.keys(body.user)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/apiKey|password|rolesIds|secret/i)]),
      );
    }
  });

  it("returns the caller's permissions", async () => {
    const { admin, apiKey } = product.access();
    const own = await appUser(clients[0].as(withApiKey(apiKey)));
    const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all', stream: 'all' };
    expect(own.acl).toMatchObject({
      table: {
        Account: all,
        Contact: all,
        Activities: true,
        Calendar: true,
        Webhook: true,
        Currency: { read: 'yes', edit: 'no' },
        User: { read: 'all', edit: 'no' },
      },
      assignmentPermission: 'all',
      exportPermission: 'yes',
      userPermission: 'no',
      fieldTableQuickAccess: {},
    });
    expect(Object.keys(own.acl['table'] ?? {})).not.toContain('Role');
    const full = await appUser(clients[0].as(withPassword(admin)));
    expect(full.acl).toMatchObject({
      table: { Account: all, Role: all, Webhook: true },
      exportPermission: 'yes',
      assignmentPermission: 'all',
    });
  });
});

describe('a token', () => {
  it('is different for each login and immediately valid at every instance', async () => {
    const { user } = product.access();
    const tokens = new Set<string>();
    for (let round = 0; round < 10; round++) {
      const login = await logIn(user);
      tokens.add(login.secret);
      for (const client of clients) {
        expect(await status(client.as(withToken(login)))).toBe(200);
        expect(await status(client.as(withEspo(login)))).toBe(200);
        expect(await status(client.as(withPassword({ ...login, password: login.secret })))).toBe(
          200,
        );
      }
      expect((await appUser(clients[1].as(withToken(login)))).token).toBe(login.secret);
      // Presenting a token creates no new one.
      expect((await appUser(clients[1].as(withEspo(login)))).token).toBe(login.secret);
    }
    expect(tokens.size).toBe(10);
  });

  it('cannot be used by another user or replaced by a password', async () => {
    const { admin, user, apiKey } = product.access();
    const login = await logIn(user);
    const client = clients[0];
    expectRefusal(await client.as(withToken(named(user))).get('/Account'), 401);
    expectRefusal(
      await client.as(withToken({ ...login, userName: admin.userName })).get('/Account'),
      401,
    );
    expectRefusal(
      await client.as(withToken({ ...login, secret: '0'.repeat(32) })).get('/Account'),
      401,
    );
    expectRefusal(
      await client
        .as(withApiKey(apiKey))
        .get('/Account', { 'Espo-Authorization-By-Token': 'true' }),
      401,
    );
  });

  it('is valid only together with its cookie if the client requested one', async () => {
    const { user } = product.access();
    const answer = await clients[0]
      .as(withEspo(named(user)))
      .get('/App/user', { 'Espo-Authorization-Create-Token-Secret': 'true' });
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^auth-token-secret=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const { token } = answer.body as AppUser;
    const login = { userName: user.userName, secret: token ?? '' };
    const [pair = ''] = cookie.split(';');
    secrets.push(login.secret, pair.slice('auth-token-secret='.length));
    const client = clients[1].as(withToken(login));
    expect(await status(client)).toBe(401);
    expect(await status(client, { Cookie: `a=b; ${pair}; c=d` })).toBe(200);
    expect(await status(client, { Cookie: `${pair}x` })).toBe(401);
  });

  it('shows administrators when its user was last active, even after the token ends', async () => {
    const { user, admin } = product.access();
    const before = Date.now();
    const login = await logIn(user);
    const path = '/User/user';
    const reader = clients[0].as(withPassword(admin));
    const writer = clients[1].as(withPassword(admin));
    const lastAccess = async () => recordIn(await reader.get(path))['lastAccess'];
    const at = await lastAccess();
    const time = Date.parse(`${String(at).replace(' ', 'T')}Z`);
    expect(Math.abs(time - before)).toBeLessThan(30_000);
    await clients[0].as(withToken(login)).post('/App/destroyAuthToken', { token: login.secret });
    expect(await lastAccess()).toBe(at);
    const ignored = { lastAccess: '2030-01-01 00:00:00', title: 'Seen' };
    expect(recordIn(await writer.put(path, ignored))).toMatchObject({ lastAccess: at });
    const [first] = listIn(await reader.get('/User?select=lastAccess,userName')).list.filter(
      ({ userName }) => userName === user.userName,
    );
    expect(first).toMatchObject({ lastAccess: at });
    const own = await clients[0].as(withPassword(user)).get(path);
    expect(own.text).not.toContain('lastAccess');
    expect((await reader.get('/User?orderBy=lastAccess')).status).toBe(400);
  });

  it('becomes invalid once it is destroyed', async () => {
    const { user, apiKey } = product.access();
    const login = await logIn(user);
    const client = clients[0].as(withToken(login));
    const token = login.secret;
    expectRefusal(await client.post('/App/destroyAuthToken', {}), 400);
    expectRefusal(await clients[0].post('/App/destroyAuthToken', { token }), 401);
    const other = await clients[0].as(withApiKey(apiKey)).post('/App/destroyAuthToken', { token });
    expect([other.status, other.text]).toEqual([200, 'false']);
    expect(await status(client)).toBe(200);
    const ended = await client.post('/App/destroyAuthToken', { token });
    expect([ended.status, ended.text]).toEqual([200, 'true']);
    expect(await status(client)).toBe(401);
    const again = await clients[0].as(withPassword(user)).post('/App/destroyAuthToken', { token });
    expect([again.status, again.text]).toEqual([200, 'false']);
  });

  it('cannot be read or created as a record', async () => {
    const admin = clients[0].as(withPassword(product.access().admin));
    for (const entity of ['AuthToken', 'SecondFactor']) {
      expect((await admin.get(`/${entity}`)).status).toBe(404);
      expect((await admin.post(`/${entity}`, {})).status).toBe(404);
    }
  });
});

describe('an administrator', () => {
  it('can act as another user, but other users cannot', async () => {
    const { admin, user, apiKey } = product.access();
    const asUser = { 'X-Another-User': user.userName };
    const client = clients[0];
    const acting = await appUser(client.as(withPassword(admin)), asUser);
    expect(acting.user).toMatchObject({ userName: user.userName, isAdmin: false });
    const unknown = { 'X-Another-User': 'nobody' };
    expectRefusal(await client.as(withPassword(admin)).get('/App/user', unknown), 401);
    expectRefusal(await client.as(withApiKey(apiKey)).get('/App/user', asUser), 403);
  });

  it('is recorded next to the impersonated user in the history and the audit log', async () => {
    const { admin, user } = product.access();
    const client = clients[0].as(withPassword(admin));
    const asUser = { 'X-Another-User': user.userName };
    const both = { byId: 'user', administratorId: 'admin' };
    const { id } = await eventually(async () => {
      const created = await client.post('/Account', { name: 'Impersonated' }, asUser);
      expect(created.status).toBe(200);
      return recordIn(created);
    });
    await client.put(`/Account/${id}`, { name: 'Own' });
    const { list } = (await client.get(`/Account/${id}/history`)).body as { list: object[] };
    expect(list[1]).toMatchObject({ ...both, type: 'created' });
    expect(list[0]).toMatchObject({ byId: 'admin', type: 'updated' });
    expect(list[0]).not.toHaveProperty('administratorId');
    expect(recordIn(await client.get(`/Account/${id}`))).toMatchObject({ createdById: 'user' });

    // The other client's connection leads to the other api: one of the two forwards the request.
    const other = clients[1].as(withPassword(admin));
    const forwarded = await other.put(`/Account/${id}`, { name: 'Forwarded' }, asUser);
    expect(forwarded.status).toBe(200);
    const later = (await client.get(`/Account/${id}/history?maxSize=1`)).body as { list: object[] };
    expect(later.list[0]).toMatchObject({ ...both, type: 'updated' });

    const deputy = { userName: 'deputy', lastName: 'Deputy', type: 'admin' };
    const { id: deputyId } = recordIn(await client.post('/User', deputy));
    const role = recordIn(
      await client.post('/Role', { name: 'By' }, { 'X-Another-User': 'deputy' }),
    );
    await eventually(async () => {
      for (const by of ['deputy', 'admin']) {
        const { body } = await client.get(`/System/audit?kind=role&user=${by}`);
        expect((body as { list: unknown }).list).toContainEqual(
          expect.objectContaining({
            record: expect.objectContaining({ id: role.id }),
            byId: deputyId,
            administratorId: 'admin',
          }),
        );
      }
    });
  });

  it('replaces the keys of API users and invalidates the old keys immediately', async () => {
    const { admin, user, hmac } = product.access();
    const client = clients[0].as(withPassword(admin));
    const path = '/UserSecurity/apiKey/generate';
    expectRefusal(await client.post(path, {}), 400);
    expectRefusal(await client.post(path, { id: 'unknown' }), 404);
    expectRefusal(await client.post(path, { id: 'user' }), 403);
    expectRefusal(await clients[0].as(withPassword(user)).post(path, { id: 'api-hmac' }), 403);
    const { status: code, body } = await client.post(path, { id: 'api-hmac' });
    const given = body as { apiKey: string; secretKey: string };
    expect([code, body]).toEqual([
      200,
      expect.objectContaining({
        id: 'api-hmac',
        userName: hmac.userName,
        apiKey: expect.stringMatching(/^[0-9a-f]{32}$/),
        secretKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      }),
    ]);
    secrets.push(given.apiKey, given.secretKey);
    for (const one of clients) {
      expect(await status(one.as(withHmacHex(given)))).toBe(200);
      expect(await status(one.as(withHmacHex(hmac)))).toBe(401);
      expect(await status(one.as(withHmacHex({ ...hmac, apiKey: given.apiKey })))).toBe(401);
    }
  });
});

describe('a second factor', () => {
  const codeAt = (secret: string, timestamp: number) =>
    new TOTP({ secret }).generate({ timestamp });
  const code = (value: string) => ({ 'Espo-Authorization-Code': value });
  let secret = '';
  /** Codes are generated in ascending order, because each one is valid once. */
  let step = 0;
  const nextCode = async () => {
    step += 1;
    // The first code belongs to the previous step, which remains valid during the current one.
    if (step === 1) await untilTimeLeft(15_000);
    return codeAt(secret, Date.now() + (step - 2) * 30_000);
  };
  const untilTimeLeft = async (ms: number) => {
    const left = 30_000 - (Date.now() % 30_000);
    if (left < ms) await sleep(left + 50);
  };

  it('is enabled with the password and a first code', async () => {
    const { user } = product.access();
    const client = clients[0].as(withPassword(user));
    const made = await client.post('/UserSecurity/totp/generate');
    expect(made.body).toMatchObject({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.stringMatching(/^otpauth:\/\/totp\/Annals:/),
    });
    secret = (made.body as { secret: string }).secret;
    secrets.push(secret);
    const path = '/UserSecurity/totp';
    const first = await nextCode();
    expectRefusal(await client.put(path, { password: 'x', secret, code: first }), 403);
    expectRefusal(
      await client.put(path, { password: user.password, secret, code: '000000x' }),
      403,
    );
    expectRefusal(await client.put(path, { password: user.password, secret }), 400);
    const on = await client.put(path, { password: user.password, secret, code: first });
    expect([on.status, on.text]).toEqual([200, 'true']);
  });

  it('is required after the password for every kind of password login', async () => {
    const { user } = product.access();
    for (const credentials of [withPassword(user), withEspo(named(user))]) {
      const answer = await clients[1].as(credentials).get('/App/user');
      expect(answer.status).toBe(401);
      expect(answer.rawHeaders[answer.rawHeaders.indexOf('X-Status-Reason') + 1]).toBe(
        'second-step-required',
      );
      expect(answer.body).toEqual({
        status: 'secondStepRequired',
        message: 'enterTotpCode',
        view: null,
        token: null,
        data: {},
      });
    }
    const wrong = clients[1].as(withPassword({ ...user, password: 'wrong' }));
    expect(expectRefusal(await wrong.get('/App/user'), 401).message).toBe('Wrong credentials.');
  });

  it('accepts each code once across instances and is not required with a token', async () => {
    const { user } = product.access();
    const right = code(await nextCode());
    const answers = await Promise.all(
      clients.map((client) => client.as(withEspo(named(user))).get('/App/user', right)),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 401]);
    const [{ token } = { token: '' }] = answers
      .filter((answer) => answer.status === 200)
      .map(({ body }) => body as { readonly token: string });
    secrets.push(token);
    const login = { userName: user.userName, secret: token };
    for (const client of clients) expect(await status(client.as(withToken(login)))).toBe(200);
    expectRefusal(await clients[0].as(withPassword(user)).get('/Account', code('12345')), 401);
  });

  it('is locked after ten wrong codes', async () => {
    const { user } = product.access();
    const client = clients[0].as(withPassword(user));
    const statuses: number[] = [];
    while (statuses.at(-1) !== 403 && statuses.length < 12) {
      statuses.push((await client.get('/Account', code('000000x'))).status);
    }
    expect(statuses.length).toBeGreaterThan(8);
    expect(statuses.at(-1)).toBe(403);
    expectRefusal(await client.get('/Account', code(await nextCode())), 403);
  });

  it('can be disabled by an administrator', async () => {
    const { admin, user } = product.access();
    const client = clients[0].as(withPassword(admin));
    const path = '/UserSecurity/totp/disable';
    expectRefusal(await client.post(path, { id: 'user', password: 'x' }), 403);
    const off = await client.post(path, { id: 'user', password: admin.password });
    expect([off.status, off.text]).toEqual([200, 'true']);
    expect(await status(clients[0].as(withPassword(user)))).toBe(200);
    const own = await clients[0].as(withPassword(user)).get('/UserSecurity/totp');
    expect(own.body).toEqual({ enabled: false, recoveryCodes: 0 });
    const other = clients[0].as(withPassword(user));
    expectRefusal(await other.post(path, { id: 'admin', password: user.password }), 403);
  });
});

describe('a password', () => {
  it('can be changed by its user, which requires a new login', async () => {
    const { user } = product.access();
    const login = await logIn(user);
    const client = clients[0].as(withToken(login));
    const path = '/UserSecurity/password';
    const password = 'a much better password';
    expectRefusal(await client.put(path, { password }), 400);
    expectRefusal(await client.put(path, { password, currentPassword: 'wrong' }), 403);
    const weak = { password: 'short', currentPassword: user.password };
    expect(expectRefusal(await client.put(path, weak), 403).message).toBe('Password is weak.');
    const changed = await client.put(path, { password, currentPassword: user.password });
    expect([changed.status, changed.text]).toEqual([200, 'true']);
    secrets.push(password, user.password);
    expect(await status(client)).toBe(401);
    expect(await status(clients[0].as(withPassword(user)))).toBe(401);
    expect(await status(clients[0].as(withPassword({ ...user, password })))).toBe(200);
  });
});

describe('more than ten failed logins', () => {
  it("block only the client's address, even behind the load balancer", async () => {
    const { admin } = product.access();
    const from = (localAddress: string) =>
      createApiClient(product.url, withPassword({ ...admin, password: 'guess' }), { localAddress });
    const attacker = from('127.0.0.2');
    const other = from('127.0.0.3');
    const statuses: number[] = [];
    for (let guess = 0; guess < 10; guess++) statuses.push(await status(attacker));
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 401));
    expect(await status(attacker.as(withPassword(admin)))).toBe(200);
    expect([await status(attacker), await status(attacker)]).toEqual([401, 403]);
    expect(await status(attacker.as(withPassword(admin)))).toBe(403);
    expect(await status(attacker.as(withApiKey(product.access().apiKey)))).toBe(200);
    expect(await status(other)).toBe(401);
    expect(await status(other.as(withPassword(admin)))).toBe(200);
    attacker.close();
    other.close();
  });
});

describe('the log', () => {
  it('contains logins and second factors but no credentials', async () => {
    const log = createLogReader(product.access().kafka);
    const events = await log.events(topics.directory);
    const messages = (await log.messages(topics.directory)).flat();
    await log.close();
    const types = new Set(events.map(({ entityType }) => entityType));
    expect([...types]).toEqual(expect.arrayContaining(['AuthToken', 'SecondFactor']));
    const text = messages.map(({ value }) => value?.toString('latin1') ?? '').join('\n');
    expect(secrets.length).toBeGreaterThan(15);
    expect(secrets.filter((secret) => text.includes(secret)).length).toBe(0);
    expect(product.output()).not.toMatch(/is being started again/);
  });
});
