import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Server } from 'oauth2-mock-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SignInProvider } from '../../../shared/domain/login/sign-in-provider.ts';
import { guardFor } from '../../../test/support/receivers/target-guard.ts';
import { createProviderConnections, type ProviderConnections } from './connect-provider.ts';
import { createProviderFetch } from './provider-fetch.ts';
import { startFlow } from './sign-in-flow.ts';

// The other provider of the tests, oidc-provider, is in test/process/single-sign-on.test.ts.
const mock = new OAuth2Server();
const redirectUri = 'https://annals.example/oauth-callback.php';
let provider: SignInProvider;

const opened: { close(): Promise<void> }[] = [];

function connect(...addresses: readonly string[]): ProviderConnections {
  const connection = createProviderFetch(guardFor(...addresses));
  opened.push(connection);
  return createProviderConnections({ fetch: connection.fetch, openSecret: (sealed) => sealed });
}

beforeAll(async () => {
  await mock.issuer.keys.generate('RS256');
  await mock.start(0, '127.0.0.1');
  const { port } = mock.address();
  mock.issuer.url = `http://127.0.0.1:${port}`;
  provider = {
    id: 'p',
    name: 'Example',
    isActive: true,
    issuer: mock.issuer.url,
    clientId: 'annals',
    clientSecret: 'secret',
    scimTokenHash: null,
    clientAuthentication: 'client_secret_basic',
    endpoints: null,
    scopes: ['profile'],
    prompt: 'login',
    maxAgeSeconds: null,
    userNameClaim: 'sub',
    groupClaim: null,
    groups: [],
    createsUsers: true,
    linksByUserName: false,
    allowsAdministrators: false,
    syncsUser: false,
    syncsGroups: false,
  };
});

afterEach(async () => {
  for (const connection of opened.splice(0)) await connection.close();
});

afterAll(() => mock.stop());

const newFlow = () =>
  startFlow({ providerId: 'p', purpose: 'signIn', userId: null, redirectUri }, 0);

async function signIn(settings: Partial<SignInProvider> = {}) {
  const connections = connect(new URL(provider.issuer).host);
  const used = { ...provider, ...settings };
  const flow = newFlow();
  const url = await connections.authorizationUrl(used, flow);
  const { headers } = await fetch(url, { redirect: 'manual' });
  const { search } = new URL(String(headers.get('location')));
  return { url: new URL(url), claims: await connections.exchange(used, { ...flow, search }) };
}

describe('a provider of another make', () => {
  it('signs an account in with PKCE, state and nonce', async () => {
    const { url, claims } = await signIn();
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'annals',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid profile',
      code_challenge_method: 'S256',
      prompt: 'login',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(url.searchParams.get(name)?.length).toBeGreaterThan(30);
    }
    expect(claims).toMatchObject({ iss: provider.issuer, aud: 'annals', sub: 'johndoe' });
  });

  it('needs no discovery if its addresses are set', async () => {
    const { issuer } = provider;
    const endpoints = {
      authorization: `${issuer}/authorize`,
      token: `${issuer}/token`,
      jwks: `${issuer}/jwks`,
      userInfo: null,
    };
    expect((await signIn({ endpoints })).claims).toMatchObject({ sub: 'johndoe' });
  });
});

describe('a provider that misbehaves', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function authorizeAt(answer: (response: ServerResponse) => void): Promise<string> {
    const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
    servers.push(server);
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    return connect(`127.0.0.1:${port}`).authorizationUrl({ ...provider, issuer }, newFlow());
  }

  const json = (response: ServerResponse, body: string) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);

  it.each([
    ['a status other than 200', (response: ServerResponse) => response.writeHead(500).end()],
    ['a redirect', (one: ServerResponse) => one.writeHead(302, { location: '/' }).end()],
    ['a response over 1 MiB', (one: ServerResponse) => json(one, `"${'x'.repeat(1_100_000)}"`)],
    ['a closed connection', (response: ServerResponse) => response.destroy()],
  ])('is unreachable if it sends %s', async (_title, answer) => {
    await expect(authorizeAt(answer)).rejects.toMatchObject({ code: 'sign_in.unreachable' });
  });

  it.each([
    ['text instead of JSON', (response: ServerResponse) => json(response, 'no JSON')],
    ['another issuer', (one: ServerResponse) => json(one, '{"issuer": "https://other.example"}')],
  ])('is rejected if its discovery document contains %s', async (_title, answer) => {
    await expect(authorizeAt(answer)).rejects.toMatchObject({ code: 'sign_in.rejected' });
  });

  it('is not contacted on a private address that the operator has not allowed', async () => {
    await expect(connect().authorizationUrl(provider, newFlow())).rejects.toMatchObject({
      code: 'sign_in.unreachable',
      remedy: expect.stringContaining('OIDC_ALLOWED_ADDRESSES'),
    });
  });
});
