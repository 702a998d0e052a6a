import { randomBytes } from 'node:crypto';
import type { SecretBox } from '../../../shared/secrets/secret-box.ts';

export const purposes = ['signIn', 'link', 'test'] as const;

/**
 * An authorization that a browser has started. It is kept in a sealed cookie and not on the server, so that any instance
 * can complete it, and only in the same browser.
 */
export interface SignInFlow {
  readonly providerId: string;
  readonly purpose: (typeof purposes)[number];
  /** The signed-in user who links an account or tests settings; null for a sign-in. */
  readonly userId: string | null;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** In ms since 1970. */
  readonly startedAtMs: number;
}

/** Enough for a password, a second factor and a consent at the provider. */
export const MAX_FLOW_MS = 600_000;

/** Distinguishes the text from other sealed texts of the installation. */
const prefix = 'sign-in flow ';

export function startFlow(
  given: Pick<SignInFlow, 'providerId' | 'purpose' | 'userId' | 'redirectUri'>,
  now: number,
): SignInFlow {
  const random = () => randomBytes(32).toString('base64url');
  return {
    ...given,
    state: random(),
    nonce: random(),
    codeVerifier: random(),
    startedAtMs: now,
  };
}

export function sealFlow(flow: SignInFlow, secrets: SecretBox): string {
  return secrets.seal(prefix + JSON.stringify(flow));
}

/** Returns undefined if the cookie is missing, was modified, has expired, or belongs to another authorization. */
export function openFlow(
  sealed: string | undefined,
  state: string,
  { secrets, now }: { readonly secrets: SecretBox; readonly now: number },
): SignInFlow | undefined {
  const text = sealed === undefined ? null : secrets.tryOpen(sealed);
  if (text?.startsWith(prefix) !== true) return undefined;
  const flow = JSON.parse(text.slice(prefix.length)) as SignInFlow;
  return flow.state === state && now - flow.startedAtMs < MAX_FLOW_MS ? flow : undefined;
}
