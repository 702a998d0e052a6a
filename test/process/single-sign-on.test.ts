import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OAuth2Server } from 'oauth2-mock-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { choosePorts } from '../../infra/local/processes/free-port.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import {
  type ApiAnswer,
  type ApiClient,
  createApiClient,
  listIn,
  recordIn,
} from '../support/api-client.ts';
import { anonymous, withEspo, withPassword, withToken } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { createLogReader } from '../support/log/log-reader.ts';
import {
  clientSettings,
  type StartedProvider,
  startProvider,
} from '../support/single-sign-on/start-provider.ts';

const topicPrefix = `single-sign-on-${process.pid}`;
const own = { 'Sec-Fetch-Site': 'same-origin' };

let product: StartedProduct;
let provider: StartedProvider;
let port: number;
let otherPort: number;
let admin: ApiClient;
/** The settings of the provider in Annals. */
let providerId: string;
let teamId: string;
let roleId: string;
let openedBrowsers = 0;

beforeAll(async () => {
  ({ port, otherPort } = await choosePorts(['port', 'otherPort'], {}));
  product = await startProduct({
    env: {
      ANNALS_TOPIC_PREFIX: topicPrefix,
      ANNALS_API_INSTANCES: '2',
      OIDC_ALLOWED_ADDRESSES: `127.0.0.1:${port},localhost:${otherPort}`,
    },
  });
  provider = await startProvider(port, product.url);
  admin = createApiClient(product.url, withPassword(product.access().admin));
  teamId = String(recordIn(await admin.post('/Team', { name: 'Sales' })).id);
  const data = { Account: { create: 'yes', read: 'all' } };
  roleId = String(recordIn(await admin.post('/Role', { name: 'Seller', data })).id);
  providerId = String(recordIn(await admin.post('/Oidc/settings', settings())).id);
});

afterEach(async () => {
  await provider?.control({});
});

afterAll(async () => {
  admin?.close();
  await provider?.stop();
  await product?.remove();
});

function settings() {
  return {
    ...clientSettings,
    name: 'Example login',
    issuer: provider.issuer,
    scopes: ['profile', 'email', 'groups'],
    groupClaim: 'groups',
    groups: [{ group: 'sales', teamsIds: [teamId], rolesIds: [roleId] }],
    createsUsers: true,
    syncsUser: true,
    syncsGroups: true,
  };
}

/**
 * A browser with its cookies and its address: failed sign-ins are limited per address. Each request
 * uses a new connection, so the load balancer spreads them over both apis.
 */
function openBrowser() {
  openedBrowsers += 1;
  const localAddress = `127.0.1.${openedBrowsers}`;
  const cookies = new Map<string, string>();
  const keep = (answer: ApiAnswer): ApiAnswer => {
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const call = async (
    act: (client: ApiClient, headers: Readonly<Record<string, string>>) => Promise<ApiAnswer>,
  ) => {
    const client = createApiClient(product.url, anonymous, { localAddress });
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    try {
      return keep(await act(client, { ...own, ...(Cookie === '' ? {} : { Cookie }) }));
    } finally {
      client.close();
    }
  };
  const browser = {
    cookies,
    keep,
    get: (path: string) => call((client, headers) => client.get(path, headers)),
    post: (path: string, body: unknown) =>
      call((client, headers) => client.post(path, body, headers)),
    delete: (path: string) => call((client, headers) => client.delete(path, headers)),
    /** Returns the query with which the provider sends the browser back. */
    async authorize(
      login: string,
      request: { readonly purpose?: string; readonly currentPassword?: string } = {},
    ): Promise<string> {
      const answer = await browser.post('/Oidc/authorization', { providerId, ...request });
      expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
      return provider.signIn(String(Object(answer.body).url), login);
    },
    async signIn(login: string): Promise<ApiAnswer> {
      return browser.post('/Oidc/complete', { search: await browser.authorize(login) });
    },
  };
  return browser;
}

async function userNamed(userName: string) {
  const where = `where[0][type]=equals&where[0][attribute]=userName&where[0][value]=${userName}`;
  const [found] = listIn(await admin.get(`/User?${where}`)).list;
  return found === undefined ? undefined : recordIn(await admin.get(`/User/${found.id}`));
}

/** Sign-ins do not wait until Postgres has the user. */
async function expectUser(
  userName: string,
  expected: Readonly<Record<string, unknown>>,
): Promise<string> {
  return eventually(async () => {
    const user = await userNamed(userName);
    expect(user).toMatchObject(expected);
    return String(user?.id);
  });
}

function expectRefused(answer: ApiAnswer, status: number, code: string, message?: RegExp): void {
  expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ code })]);
  if (message !== undefined) expect(Object(answer.body).message).toMatch(message);
}

describe('the settings of providers', () => {
  it('are public by id and name, and never show the secret, which the log contains only sealed', async () => {
    const anyone = openBrowser();
    expect((await anyone.get('/Oidc/providers')).body).toEqual({
      total: 1,
      list: [{ id: providerId, name: 'Example login' }],
    });
    expect((await anyone.get('/Oidc/settings')).status).toBe(401);
    const shown = await admin.get('/Oidc/settings');
    expect(shown.body).toMatchObject({
      list: [{ id: providerId, hasClientSecret: true, createsUsers: true }],
      redirectUri: `${product.url}/oauth-callback.php`,
    });
    expect(shown.text).not.toContain(clientSettings.clientSecret);
    const log = createLogReader(product.access().kafka);
    const messages = (await log.messages(topicNames(topicPrefix).directory)).flat();
    await log.close();
    const written = messages.map(({ value }) => value?.toString('latin1') ?? '').join('\n');
    expect(written).toContain('SignInProvider');
    expect(written).not.toContain(clientSettings.clientSecret);
  });

  it('are rejected with every problem, and only administrators change them', async () => {
    const bad = await admin.put(`/Oidc/settings/${providerId}`, {
      issuer: 'ftp://x',
      groups: [{ group: '' }],
      colour: 'red',
    });
    expectRefused(bad, 400, 'record.invalid');
    expect(Object(bad.body).errors.map(({ field }: { field: string }) => field)).toEqual(
      expect.arrayContaining(['issuer', 'groups[0].group', 'colour']),
    );
    const user = admin.as(withPassword(product.access().user));
    expectRefused(await user.post('/Oidc/settings', settings()), 403, 'access.admin_only');
    expectRefused(await user.get('/Oidc/settings'), 403, 'access.admin_only');
  });

  it('can be tested before users sign in, which shows the claims and changes nothing', async () => {
    await provider.control({ claims: { tess: { email: 'tess@example.com', groups: ['sales'] } } });
    const browser = openBrowser();
    await signInWithPassword(browser, product.access().admin);
    const search = await browser.authorize('tess', { purpose: 'test' });
    const { body } = await browser.post('/Oidc/complete', { search });
    expect(body).toMatchObject({
      purpose: 'test',
      claims: { sub: 'tess', email: 'tess@example.com', groups: ['sales'] },
      user: { userName: 'tess', teamsIds: [teamId], rolesIds: [roleId] },
    });
    expect(await userNamed('tess')).toBeUndefined();
  });

  it('lead to a private address only if the operator allows it', async () => {
    const closed = { ...settings(), name: 'Closed', issuer: 'http://127.0.0.1:1' };
    const { id } = recordIn(await admin.post('/Oidc/settings', closed));
    const answer = await openBrowser().post('/Oidc/authorization', { providerId: id });
    expectRefused(answer, 503, 'sign_in.unreachable', /cannot be reached/);
    expect((await admin.delete(`/Oidc/settings/${id}`)).body).toBe(true);
  });
});

async function signInWithPassword(
  browser: ReturnType<typeof openBrowser>,
  { userName, password }: { readonly userName: string; readonly password: string },
): Promise<void> {
  const client = createApiClient(product.url, withEspo({ userName, secret: password }));
  browser.keep(await client.post('/App/session', undefined, own));
  client.close();
}

describe('a provider that is away', () => {
  it('is reported as unreachable, while sessions and passwords still work', async () => {
    const browser = openBrowser();
    await browser.signIn('ann');
    const waiting = openBrowser();
    const search = await waiting.authorize('ann');
    await provider.stop();
    const answer = await waiting.post('/Oidc/complete', { search });
    expectRefused(answer, 503, 'sign_in.unreachable');
    expect(answer.headers['retry-after']).toBeDefined();
    expect((await browser.get('/App/session')).body).toMatchObject({ user: { userName: 'ann' } });
    expect((await admin.get('/App/user')).status).toBe(200);
    provider = await startProvider(port, product.url);
    expect((await openBrowser().signIn('ann')).status).toBe(200);
  });
});

describe('a sign-in through a provider', () => {
  it('creates a user although an administrator has added a required field to users', async () => {
    const path = '/Admin/fieldManager/User';
    const field = { name: 'badge', type: 'varchar', required: true };
    expect((await admin.post(path, field)).status).toBe(200);
    expect((await openBrowser().signIn('badgeless')).status).toBe(200);
    await expectUser('badgeless', { cBadge: null });
    await admin.delete(`${path}/cBadge`);
  });

  it('creates a user with names, teams and roles, and begins a session on every api', async () => {
    const ann = {
      given_name: 'Ann',
      family_name: 'Lee',
      email: 'ann@example.com',
      groups: ['sales', 'x'],
    };
    await provider.control({ claims: { ann } });
    const browser = openBrowser();
    const answer = await browser.signIn('ann');
    expect([answer.status, answer.body]).toEqual([200, { purpose: 'signIn' }]);
    expect([...browser.cookies.keys()]).toEqual(['annals-session']);
    for (let request = 0; request < 6; request += 1) {
      const session = await browser.get('/App/session');
      expect(session.body).toMatchObject({ user: { userName: 'ann' }, token: null });
    }
    await expectUser('ann', {
      firstName: 'Ann',
      lastName: 'Lee',
      emailAddress: 'ann@example.com',
      teamsIds: [teamId],
      rolesIds: [roleId],
    });
  });

  it('adds and removes mapped teams and roles at each sign-in, also for 500 groups, and keeps the others', async () => {
    const other = String(recordIn(await admin.post('/Team', { name: 'Other' })).id);
    await provider.control({ claims: { bob: { groups: [] } } });
    expect((await openBrowser().signIn('bob')).status).toBe(200);
    const bob = await expectUser('bob', { teamsIds: [] });
    recordIn(await admin.put(`/User/${bob}`, { teamsIds: [other] }));
    const groups = [
      ...Array.from({ length: 499 }, (_, index) => `group-${index}-${randomUUID()}`),
      'sales',
    ];
    await provider.control({ claims: { bob: { groups } } });
    expect((await openBrowser().signIn('bob')).status).toBe(200);
    await expectUser('bob', {
      teamsIds: expect.arrayContaining([other, teamId]),
      rolesIds: [roleId],
    });
    await provider.control({ claims: { bob: { groups: ['unknown'] } } });
    expect((await openBrowser().signIn('bob')).status).toBe(200);
    await expectUser('bob', { teamsIds: [other], rolesIds: [] });
  });

  const now = () => Math.floor(Date.now() / 1000);
  it.each([
    ['another issuer', () => ({ iss: 'https://other.example' }), /iss/],
    ['another audience', () => ({ aud: 'someone-else' }), /aud/],
    ['another nonce', () => ({ nonce: 'guessed' }), /nonce/],
    ['no nonce', () => ({ nonce: null }), /nonce/],
    ['no subject', () => ({ sub: null }), /sub/],
    ['an end in the past', () => ({ exp: now() - 600, iat: now() - 1200 }), /clocks/],
    ['a clock that is an hour ahead', () => ({ iat: now() + 3600, exp: now() + 7200 }), /invalid/],
  ])('is rejected if the ID token has %s', async (_title, idToken, message) => {
    await provider.control({ idToken: idToken() });
    const browser = openBrowser();
    expectRefused(await browser.signIn('mallory'), 403, 'sign_in.rejected', message);
    expect((await browser.get('/App/session')).body).toBeNull();
    expect(await userNamed('mallory')).toBeUndefined();
  });

  it('tolerates a clock that is half a minute behind', async () => {
    await provider.control({ idToken: { exp: now() - 30, iat: now() - 600 } });
    expect((await openBrowser().signIn('late')).status).toBe(200);
  });

  it('accepts tokens with a new key immediately after the provider has rotated its keys', async () => {
    expect((await openBrowser().signIn('keys')).status).toBe(200);
    await provider.control({ rotatesKeys: true });
    expect((await openBrowser().signIn('keys')).status).toBe(200);
  });

  it('is completed once, and only in the browser that started it', async () => {
    const browser = openBrowser();
    const search = await browser.authorize('once');
    const { cookies } = browser;
    const kept = new Map(cookies);
    expectRefused(await openBrowser().post('/Oidc/complete', { search }), 400, 'sign_in.expired');
    expect((await browser.post('/Oidc/complete', { search })).status).toBe(200);
    cookies.clear();
    for (const [name, value] of kept) cookies.set(name, value);
    const again = await browser.post('/Oidc/complete', { search });
    expectRefused(again, 403, 'sign_in.rejected', /invalid_grant/);
    expectRefused(
      await openBrowser().post('/Oidc/complete', { search: '?x' }),
      400,
      'sign_in.expired',
    );
  });

  it('is rejected for a deactivated user, whose sessions end', async () => {
    const browser = openBrowser();
    await browser.signIn('leaver');
    const id = await expectUser('leaver', { isActive: true });
    recordIn(await admin.put(`/User/${id}`, { isActive: false }));
    await eventually(async () => expect((await browser.get('/App/session')).body).toBeNull());
    expectRefused(await openBrowser().signIn('leaver'), 401, 'user.inactive');
  });

  it('does not take over an existing user, who can link the account and remove the link', async () => {
    const { userName, password: currentPassword } = product.access().user;
    expectRefused(await openBrowser().signIn(userName), 403, 'sign_in.name_taken');
    const browser = openBrowser();
    await signInWithPassword(browser, product.access().user);
    const link = { providerId, purpose: 'link' };
    const unconfirmed = await browser.post('/Oidc/authorization', link);
    expectRefused(unconfirmed, 400, 'body.value_missing', /currentPassword/);
    const wrong = { ...link, currentPassword: 'guessed' };
    expectRefused(await browser.post('/Oidc/authorization', wrong), 403, 'password.wrong');
    const search = await browser.authorize(userName, { purpose: 'link', currentPassword });
    expect((await browser.post('/Oidc/complete', { search })).body).toEqual({ purpose: 'link' });
    const linked = openBrowser();
    expect((await linked.signIn(userName)).status).toBe(200);
    expect((await linked.get('/App/session')).body).toMatchObject({ user: { id: 'user' } });

    const other = openBrowser();
    const { admin: administrator } = product.access();
    await signInWithPassword(other, administrator);
    const same = await other.authorize(userName, {
      purpose: 'link',
      currentPassword: administrator.password,
    });
    const taken = await other.post('/Oidc/complete', { search: same });
    expectRefused(taken, 409, 'sign_in.account_linked');

    const [account] = listIn(await browser.get('/Oidc/accounts')).list;
    expect((await browser.delete(`/Oidc/accounts/${account?.id}`)).body).toBe(true);
    await eventually(async () => expect((await linked.get('/App/session')).body).toBeNull());
    expect((await browser.get('/App/session')).body).toMatchObject({ user: { id: 'user' } });
  });

  it('is open to administrators only if the provider allows it', async () => {
    const { userName } = product.access().admin;
    await admin.put(`/Oidc/settings/${providerId}`, { linksByUserName: true });
    expectRefused(await openBrowser().signIn(userName), 403, 'sign_in.user_type');
    await admin.put(`/Oidc/settings/${providerId}`, { allowsAdministrators: true });
    expect((await openBrowser().signIn(userName)).status).toBe(200);
    const off = { linksByUserName: false, allowsAdministrators: false };
    await admin.put(`/Oidc/settings/${providerId}`, off);
  });

  it('ends with its provider', async () => {
    const browser = openBrowser();
    expect((await browser.signIn('ann')).status).toBe(200);
    await admin.put(`/Oidc/settings/${providerId}`, { isActive: false });
    await eventually(async () => expect((await browser.get('/App/session')).body).toBeNull());
    const answer = await browser.post('/Oidc/authorization', { providerId });
    expectRefused(answer, 404, 'sign_in.no_provider');
    await admin.put(`/Oidc/settings/${providerId}`, { isActive: true });
  });
});

describe('a provider of another make', () => {
  it('signs users in as well', async () => {
    const other = new OAuth2Server();
    await other.issuer.keys.generate('RS256');
    await other.start(otherPort, '127.0.0.1');
    const more = { name: 'Other login', userNameClaim: 'sub', groupClaim: null, groups: [] };
    const issuer = String(other.issuer.url);
    const made = await admin.post('/Oidc/settings', { ...settings(), ...more, issuer });
    const { id } = recordIn(made);
    const browser = openBrowser();
    const begun = await browser.post('/Oidc/authorization', { providerId: id });
    const back = await fetch(Object(begun.body).url, { redirect: 'manual' });
    const { search } = new URL(String(back.headers.get('location')));
    expect((await browser.post('/Oidc/complete', { search })).status).toBe(200);
    const session = await browser.get('/App/session');
    expect(session.body).toMatchObject({ user: { userName: 'johndoe' } });
    expect((await admin.delete(`/Oidc/settings/${id}`)).status).toBe(200);
    await other.stop();
  });
});

describe('passwords next to single sign-on', () => {
  it('can be limited to administrators, without effect on tokens', async () => {
    const { user } = product.access();
    const client = createApiClient(product.url, withPassword(user));
    const login = client.as(withEspo({ userName: user.userName, secret: user.password }));
    const { token } = Object((await login.get('/App/user')).body);
    expect((await admin.put('/Settings', { passwordSignIn: 'administrators' })).status).toBe(200);
    await eventually(async () =>
      expectRefused(await client.get('/App/user'), 401, 'sign_in.password_off'),
    );
    const byToken = client.as(withToken({ userName: user.userName, secret: token }));
    expect((await byToken.get('/App/user')).status).toBe(200);
    expect((await admin.get('/App/user')).status).toBe(200);
    await admin.put('/Settings', { passwordSignIn: 'everyone' });
    client.close();
  });
});

describe('back-channel logout', () => {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const claims = () => {
    const iat = Math.floor(Date.now() / 1000);
    return {
      iss: provider.issuer,
      aud: 'annals',
      sub: 'ann',
      iat,
      exp: iat + 120,
      jti: randomUUID(),
      events,
    };
  };

  async function send(token: string): Promise<Response> {
    return fetch(`${product.url}/api/v1/Oidc/backchannelLogout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    });
  }

  it('ends the log-ins of the account within a second on every api', async () => {
    const browser = openBrowser();
    const other = openBrowser();
    await browser.signIn('ann');
    await other.signIn('bob');
    const { logoutToken = '' } = await provider.control({ logout: claims() });
    expect((await send(logoutToken)).status).toBe(200);
    await sleep(1_000);
    for (let request = 0; request < 6; request += 1) {
      expect((await browser.get('/App/session')).body).toBeNull();
    }
    expect((await other.get('/App/session')).body).toMatchObject({ user: { userName: 'bob' } });
  });

  it.each([
    ['an ID token', { events: undefined }, 400],
    ['another audience', { aud: 'other' }, 400],
    ['a nonce', { nonce: 'x' }, 400],
    ['neither subject nor session', { sub: undefined }, 400],
    ['an end in the past', { exp: 1, iat: 0 }, 403],
  ])('rejects a token with %s', async (_title, changes, status) => {
    const { logoutToken = '' } = await provider.control({ logout: { ...claims(), ...changes } });
    expect((await send(logoutToken)).status).toBe(status);
  });

  it('rejects a token with a forged signature', async () => {
    const { logoutToken = '' } = await provider.control({ logout: claims() });
    const forged = logoutToken.replace(/[^.]+$/, (text) => text.split('').reverse().join(''));
    expect((await send(forged)).status).toBe(403);
    expect((await send('nonsense')).status).toBe(400);
  });
});

describe("EspoCRM's clients", () => {
  it('sign in with the code as the password of **oidc, and get a token', async () => {
    await provider.control({ withoutPkce: true, rotatesKeys: true });
    const anyone = createApiClient(product.url, anonymous);
    expect((await anyone.get('/Settings')).body).toMatchObject({ authenticationMethod: 'Oidc' });
    const data = Object((await anyone.get('/Oidc/authorizationData')).body);
    expect(data).toMatchObject({
      clientId: 'annals',
      scopes: ['openid', 'profile', 'email', 'groups'],
    });
    const url = new URL(data.endpoint);
    url.search = String(
      new URLSearchParams({
        client_id: data.clientId,
        redirect_uri: data.redirectUri,
        response_type: 'code',
        scope: data.scopes.join(' '),
        state: 'a-state',
        nonce: 'a-nonce-of-the-client',
      }),
    );
    const search = new URLSearchParams(await provider.signIn(url.href, 'espo'));
    const client = anyone.as(withEspo({ userName: '**oidc', secret: String(search.get('code')) }));
    const header = { 'X-Oidc-Authorization-Nonce': 'a-nonce-of-the-client' };
    const { token, user } = Object((await client.get('/App/user', header)).body);
    expect(user).toMatchObject({ userName: 'espo' });
    const byToken = anyone.as(withToken({ userName: 'espo', secret: token }));
    expect((await byToken.get('/App/user')).status).toBe(200);
    expectRefused(await client.get('/App/user', header), 401, 'credentials.invalid');
    expectRefused(await client.get('/App/user'), 401, 'credentials.invalid');
    anyone.close();
  });
});

describe('a user whom the provider manages through SCIM', () => {
  let token: string;

  /** Each request uses a new connection, so the load balancer spreads them over both apis. */
  async function scim(method: string, path: string, body?: unknown) {
    const client = createApiClient(product.url, anonymous);
    const answer = await client.send({
      method,
      target: `/api/scim/v2${path}`,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    client.close();
    expect([answer.status, answer.text]).toEqual([expect.toBeOneOf([200, 201, 204]), answer.text]);
    return Object(answer.body);
  }

  const signedIn = async (browser: ReturnType<typeof openBrowser>) =>
    Object((await browser.get('/App/session')).body)?.user?.id;

  beforeAll(async () => {
    const { body } = await admin.post(`/Oidc/settings/${providerId}/scimToken`);
    token = Object(body).token;
  });

  it('is the one who signs in with the same id or user name, and has the groups of SCIM', async () => {
    const byId = await scim('POST', '/Users', { userName: 'other.name', externalId: 'scim-sub' });
    const byName = await scim('POST', '/Users', { userName: 'Scim-Name', externalId: 'x' });
    const members = [{ value: byId.id }, { value: byName.id }];
    await scim('POST', '/Groups', { displayName: 'sales', members });
    await provider.control({ claims: { 'scim-sub': { groups: [] }, 'scim-name': { groups: [] } } });
    for (const [login, { id }] of [
      ['scim-sub', byId],
      ['scim-name', byName],
    ] as const) {
      const browser = openBrowser();
      expect((await browser.signIn(login)).status).toBe(200);
      expect(await signedIn(browser)).toBe(id);
      await eventually(async () => {
        const user = recordIn(await admin.get(`/User/${id}`));
        expect(user).toMatchObject({ teamsIds: [teamId], rolesIds: [roleId] });
      });
    }
  });

  it('is signed out immediately on every api when the provider deactivates or deletes them', async () => {
    const { id } = await scim('POST', '/Users', { userName: 'scim-leaver' });
    const browser = openBrowser();
    expect((await browser.signIn('scim-leaver')).status).toBe(200);
    await scim('PATCH', `/Users/${id}`, {
      Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
    });
    await eventually(async () => expect(await signedIn(browser)).toBeUndefined());
    expectRefused(await openBrowser().signIn('scim-leaver'), 401, 'user.inactive');
    await scim('DELETE', `/Users/${id}`);
    const again = await scim('POST', '/Users', { userName: 'scim-leaver' });
    expect(again.id).toBe(id);
    expect((await openBrowser().signIn('scim-leaver')).status).toBe(200);
  });
});
