import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** How the provider behaves from now on. */
export interface Control {
  /** Claims by account, in addition to `sub` and `preferred_username`. */
  readonly claims?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Claims that replace those of ID tokens; null removes a claim. */
  readonly idToken?: Readonly<Record<string, unknown>>;
  readonly rotatesKeys?: boolean;
  readonly withoutPkce?: boolean;
  /** The claims of a logout token to return. */
  readonly logout?: Readonly<Record<string, unknown>>;
}

export interface StartedProvider {
  readonly issuer: string;
  control(changed: Control): Promise<{ readonly logoutToken?: string }>;
  /** Signs an account in, as a browser would. Returns the query with which the provider sends the browser back. */
  signIn(authorizationUrl: string, login: string): Promise<string>;
  stop(): Promise<void>;
}

export const clientSettings = {
  clientId: 'annals',
  clientSecret: 'a-secret-of-the-client',
} as const;

/** Starts an OpenID Connect provider in its own process, with Annals at `clientUrl` as its client. */
export async function startProvider(port: number, clientUrl: string): Promise<StartedProvider> {
  const issuer = `http://127.0.0.1:${port}`;
  const child = fork(
    join(import.meta.dirname, 'provider-process.ts'),
    [issuer, `${clientUrl}/oauth-callback.php`, `${clientUrl}/api/v1/Oidc/backchannelLogout`],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] },
  );
  await once(child, 'message');
  return {
    issuer,
    async control(changed) {
      const response = await fetch(`${issuer}/control`, {
        method: 'PUT',
        body: JSON.stringify(changed),
      });
      return (await response.json()) as { logoutToken?: string };
    },
    signIn,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

const MAX_STEPS = 10;

async function signIn(authorizationUrl: string, login: string): Promise<string> {
  const cookies = new Map<string, string>();
  const { origin } = new URL(authorizationUrl);
  let next = new URL(authorizationUrl);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (next.pathname.startsWith('/interaction/')) next.searchParams.set('login', login);
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`no redirect: ${await response.text()}`);
    next = new URL(location, next);
    if (next.origin !== origin) return next.search;
  }
  throw new Error('the provider does not send the browser back');
}
