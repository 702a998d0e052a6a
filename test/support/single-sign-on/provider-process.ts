/**
 * A process with an OpenID Connect provider (the package oidc-provider) at the issuer in its first argument. Accounts are
 * signed in by the parameter `login` of their interaction. `PUT /control` changes the claims of accounts, tampers with
 * ID tokens, rotates the keys, and returns a logout token.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import type { Control } from './start-provider.ts';

const [, , issuer = '', redirectUri = '', logoutUri = ''] = process.argv;
let control: Control = {};
let key = await createKey();
let provider = createProvider();

async function createKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: `key-${Date.now()}`, use: 'sig', alg: 'RS256' };
}

function createProvider(): Provider {
  const configuration: Configuration = {
    clients: [
      {
        client_id: 'annals',
        client_secret: 'a-secret-of-the-client',
        redirect_uris: [redirectUri],
        backchannel_logout_uri: logoutUri,
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['not a secret'] },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'given_name', 'family_name'],
      email: ['email'],
      groups: ['groups'],
    },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    pkce: { required: () => control.withoutPkce !== true },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: id, ...control.claims?.[id] }),
    }),
    async loadExistingGrant(context) {
      const { Grant } = context.oidc.provider;
      const grant = new Grant({
        clientId: String(context.oidc.client?.clientId),
        accountId: String(context.oidc.session?.accountId),
      });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
  };
  return new Provider(issuer, configuration);
}

const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    response.writeHead(500).end(String(error));
  });
});

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
  if (pathname === '/control') return changeControl(request, response);
  if (pathname.startsWith('/interaction/')) {
    const login = searchParams.get('login');
    if (login === null) return showForm(response);
    return provider.interactionFinished(request, response, { login: { accountId: login } });
  }
  if (pathname === '/token' && control.idToken !== undefined) tamper(response, control.idToken);
  await provider.callback()(request, response);
}

/** For people and browsers. */
function showForm(response: ServerResponse): void {
  response.setHeader('content-type', 'text/html');
  response.end(
    '<!doctype html><title>Provider</title><form><label>Login <input name="login"></label><button>Continue</button></form>',
  );
}

async function changeControl(request: IncomingMessage, response: ServerResponse): Promise<void> {
  control = JSON.parse(await text(request)) as Control;
  if (control.rotatesKeys === true) {
    key = await createKey();
    provider = createProvider();
  }
  const logoutToken = control.logout === undefined ? undefined : await sign(control.logout);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ logoutToken }));
}

/** Replaces claims of the ID token in the response, with a valid signature. */
function tamper(response: ServerResponse, changes: Readonly<Record<string, unknown>>): void {
  const end = response.end.bind(response);
  response.end = (chunk: unknown) => {
    const body = JSON.parse(String(chunk));
    replaceToken(body, changes).then((changed) => {
      response.setHeader('content-length', Buffer.byteLength(changed));
      end(changed);
    }, response.destroy.bind(response));
    return response;
  };
}

async function replaceToken(
  body: { readonly id_token?: string },
  changes: Readonly<Record<string, unknown>>,
): Promise<string> {
  if (body.id_token === undefined) return JSON.stringify(body);
  const claims = Object.entries({ ...decodeJwt(body.id_token), ...changes });
  const kept = Object.fromEntries(claims.filter(([, value]) => value !== null));
  return JSON.stringify({ ...body, id_token: await sign(kept) });
}

async function sign(claims: Readonly<Record<string, unknown>>): Promise<string> {
  const header = { alg: 'RS256', kid: String(key.kid) };
  return new SignJWT({ ...claims }).setProtectedHeader(header).sign(await importJWK(key));
}

server.listen(Number(new URL(issuer).port), '127.0.0.1', () => process.send?.('listening'));
