import { createRemoteJWKSet, type JWTPayload, customFetch as joseFetch, jwtVerify } from 'jose';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  type ServerMetadata,
  skipStateCheck,
} from 'openid-client';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { SignInProvider } from '../../../shared/domain/login/sign-in-provider.ts';
import { createShared } from '../../../shared/runtime/share-answers.ts';
import { type ProviderFetch, REQUEST_TIMEOUT_MS } from './provider-fetch.ts';
import { issuedInFuture, toProviderProblem } from './provider-problem.ts';
import type { Claims } from './read-claims.ts';

/** The values that bind an authorization response to the browser and the request that started it. */
interface AuthorizationSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The parameters with which the provider sent the browser back. */
interface AuthorizationResponse {
  readonly redirectUri: string;
  /** The query of the address, such as `?code=…&state=…`. */
  readonly search: string;
  readonly nonce: string;
  /** Null for EspoCRM's clients, which compare the state themselves and use no PKCE. */
  readonly state: string | null;
  readonly codeVerifier: string | null;
}

/** Communicates with OpenID Connect providers. Rejects with a Refusal, or Unavailable if the provider is away. */
export interface ProviderConnections {
  /** Returns the address at which the user signs in. */
  authorizationUrl(
    provider: SignInProvider,
    request: AuthorizationSecrets & { readonly redirectUri: string },
  ): Promise<string>;
  /** Returns the address of the authorization endpoint without parameters. */
  authorizationEndpoint(provider: SignInProvider): Promise<string>;
  /**
   * Exchanges a code for the claims of the account. Validates issuer, audience, times, nonce and signature of the ID
   * token, with keys that are read after the token, so a rotated key is always known.
   */
  exchange(provider: SignInProvider, response: AuthorizationResponse): Promise<Claims>;
  /** Returns the claims of a logout token with a valid signature, issuer, audience and time. */
  verifyLogoutToken(provider: SignInProvider, token: string): Promise<JWTPayload>;
}

/** Providers and installations disagree by seconds; a minute is what most implementations tolerate. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Bounds the requests that visitors of the sign-in page can cause at a provider. */
const METADATA_KEPT_MS = 60_000;
const MAX_KNOWN = 100;
/** A forged logout token with an unknown key causes at most one request per provider in this time. */
const KEYS_COOLDOWN_MS = 30_000;
const KEYS_KEPT_MS = 600_000;
const LOGOUT_TOKEN_MAX_AGE = '10 minutes';
/** Signatures with the client secret are not supported, because secrets are often too short for a key. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

export function createProviderConnections({
  fetch,
  openSecret,
}: {
  readonly fetch: ProviderFetch;
  readonly openSecret: (sealed: string) => string | null;
}): ProviderConnections {
  const metadataOf = createMetadata(fetch);
  const keysOf = createKeys(fetch);

  /** Returns a new configuration: openid-client keeps keys with it, which must not outlive a rotation. */
  async function configure(provider: SignInProvider): Promise<Configuration> {
    const server = await metadataOf(provider);
    const client = { [clockTolerance]: CLOCK_TOLERANCE_SECONDS };
    const authentication = authenticate(provider, openSecret);
    const configuration = new Configuration(server, provider.clientId, client, authentication);
    configuration[customFetch] = fetch;
    configuration.timeout = REQUEST_TIMEOUT_MS / 1_000;
    // The guard of `fetch` requires TLS, except for addresses that the operator allowed.
    allowInsecureRequests(configuration);
    enableNonRepudiationChecks(configuration);
    return configuration;
  }

  const reporting = async <Result>(provider: SignInProvider, act: () => Promise<Result>) => {
    try {
      return await act();
    } catch (error) {
      throw toProviderProblem(error, provider.name);
    }
  };

  return {
    authorizationUrl: (provider, { state, nonce, codeVerifier, redirectUri }) =>
      reporting(provider, async () => {
        const { href } = buildAuthorizationUrl(await configure(provider), {
          redirect_uri: redirectUri,
          scope: scopeOf(provider),
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          ...(provider.prompt === null ? {} : { prompt: provider.prompt }),
          ...(provider.maxAgeSeconds === null ? {} : { max_age: String(provider.maxAgeSeconds) }),
        });
        return href;
      }),
    authorizationEndpoint: (provider) =>
      reporting(provider, async () => String((await metadataOf(provider)).authorization_endpoint)),
    exchange: (provider, response) =>
      reporting(provider, async () => exchangeCode(await configure(provider), provider, response)),
    verifyLogoutToken: (provider, token) =>
      reporting(provider, async () => {
        const { jwks_uri: keys } = await metadataOf(provider);
        if (keys === undefined) throw new Unavailable('the provider has no address of its keys');
        const { payload } = await jwtVerify(token, keysOf(keys), {
          issuer: provider.issuer,
          audience: provider.clientId,
          algorithms,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          maxTokenAge: LOGOUT_TOKEN_MAX_AGE,
        });
        return payload;
      }),
  };
}

function scopeOf({ scopes }: SignInProvider): string {
  return ['openid', ...scopes].join(' ');
}

async function exchangeCode(
  configuration: Configuration,
  { maxAgeSeconds, name }: SignInProvider,
  { redirectUri, search, nonce, state, codeVerifier }: AuthorizationResponse,
): Promise<Claims> {
  const address = new URL(redirectUri);
  address.search = search;
  const server = configuration.serverMetadata();
  // EspoCRM's clients send only the code.
  if (state === null && server.authorization_response_iss_parameter_supported === true) {
    address.searchParams.set('iss', server.issuer);
  }
  const tokens = await authorizationCodeGrant(configuration, address, {
    expectedNonce: nonce,
    expectedState: state ?? skipStateCheck,
    idTokenExpected: true,
    ...(codeVerifier === null ? {} : { pkceCodeVerifier: codeVerifier }),
    ...(maxAgeSeconds === null ? {} : { maxAge: maxAgeSeconds }),
  });
  const claims: Claims = { ...tokens.claims() };
  const latest = Date.now() / 1_000 + CLOCK_TOLERANCE_SECONDS;
  if (Number(claims['iat']) > latest) throw issuedInFuture(name);
  if (server.userinfo_endpoint === undefined) return claims;
  // Many providers put only the subject into the ID token.
  const more = await fetchUserInfo(configuration, tokens.access_token, String(claims['sub']));
  return { ...more, ...claims };
}

/** Returns a function that reads the addresses of a provider, from its settings or its discovery document. */
function createMetadata(fetch: ProviderFetch) {
  const known = new Map<string, () => Promise<ServerMetadata>>();
  return async ({ issuer, endpoints }: SignInProvider): Promise<ServerMetadata> => {
    if (endpoints !== null) {
      const { authorization, token, jwks, userInfo } = endpoints;
      return {
        issuer,
        authorization_endpoint: authorization,
        token_endpoint: token,
        jwks_uri: jwks,
        id_token_signing_alg_values_supported: algorithms,
        ...(userInfo === null ? {} : { userinfo_endpoint: userInfo }),
      };
    }
    const read = known.get(issuer) ?? createShared(METADATA_KEPT_MS, () => discover(issuer, fetch));
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(issuer, read);
    return read();
  };
}

async function discover(issuer: string, fetch: ProviderFetch): Promise<ServerMetadata> {
  const found = await discovery(new URL(issuer), 'discovery', undefined, None(), {
    [customFetch]: fetch,
    timeout: REQUEST_TIMEOUT_MS / 1_000,
    execute: [allowInsecureRequests],
  });
  return found.serverMetadata();
}

/** Returns a function that caches the keys of each provider, for logout tokens, which anyone can send. */
function createKeys(fetch: ProviderFetch) {
  const known = new Map<string, ReturnType<typeof createRemoteJWKSet>>();
  return (address: string) => {
    const keys =
      known.get(address) ??
      createRemoteJWKSet(new URL(address), {
        [joseFetch]: fetch,
        timeoutDuration: REQUEST_TIMEOUT_MS,
        cooldownDuration: KEYS_COOLDOWN_MS,
        cacheMaxAge: KEYS_KEPT_MS,
      });
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(address, keys);
    return keys;
  };
}

function authenticate(
  { clientAuthentication, clientSecret, name }: SignInProvider,
  openSecret: (sealed: string) => string | null,
): ClientAuth {
  if (clientAuthentication === 'none' || clientSecret === null) return None();
  const secret = openSecret(clientSecret);
  if (secret === null) {
    const remedy = 'enter the client secret again';
    throw new Unavailable(`the client secret of ${name} was sealed with another key`, {
      code: 'sign_in.unreachable',
      remedy,
    });
  }
  return clientAuthentication === 'client_secret_post'
    ? ClientSecretPost(secret)
    : ClientSecretBasic(secret);
}
