import {
  AuthorizationResponseError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { AddressRefused } from '../../../shared/net/connect/connect-first.ts';

/** Codes of openid-client and jose for tokens and responses that a provider must not send. */
const invalidTokens: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_UNSUPPORTED_OPERATION',
]);
const clockCodes: ReadonlySet<string> = new Set([
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'ERR_JWT_EXPIRED',
]);

/**
 * Converts an error of openid-client, jose or a connection to the error for the client. Messages contain neither tokens
 * nor claims.
 */
export function toProviderProblem(error: unknown, provider: string): Error {
  const chain = causesOf(error);
  const known = chain.find((one) => one instanceof Refusal || one instanceof Unavailable);
  if (known !== undefined) return known;
  const name = printable(provider);
  const refused = chain.find((one) => one instanceof AddressRefused);
  if (refused !== undefined) {
    return away(`The provider ${name} cannot be reached: ${refused.message}.`, {
      cause: error,
      remedy: 'allow its address with OIDC_ALLOWED_ADDRESSES if it is on a private network',
    });
  }
  if (chain.some((one) => one instanceof WWWAuthenticateChallengeError)) {
    return rejected(`The provider ${name} rejected the client. ${checkClient}`);
  }
  const response = chain.find(
    (one) => one instanceof ResponseBodyError || one instanceof AuthorizationResponseError,
  );
  if (response !== undefined) {
    const hint = response.error === 'invalid_client' ? ` ${checkClient}` : '';
    return rejected(`The provider ${name} reported ${printable(response.error)}.${hint}`);
  }
  const code = chain.map(codeOf).find((one) => one !== undefined) ?? '';
  if (invalidTokens.has(code) || code.startsWith('ERR_JW')) {
    const hint = clockCodes.has(code) ? ` ${compareClocks}` : '';
    return rejected(`The response of the provider ${name} is invalid: ${describe(chain)}.${hint}`);
  }
  return away(`The provider ${name} did not respond as expected: ${describe(chain)}.`, {
    cause: error,
  });
}

const checkClient = 'Check the client id, the secret and how it is sent.';
const compareClocks = 'Compare the clocks of both servers.';

/** For a token that was issued in the future, which openid-client does not check. */
export function issuedInFuture(provider: string): Refusal {
  const reason = 'the ID token was issued in the future';
  return rejected(
    `The response of the provider ${printable(provider)} is invalid: ${reason}. ${compareClocks}`,
  );
}

function rejected(message: string): Refusal {
  return new Refusal('forbidden', 'sign_in.rejected', message);
}

function away(
  message: string,
  detail: { readonly cause: unknown; readonly remedy?: string },
): Unavailable {
  return new Unavailable(message, { code: 'sign_in.unreachable', ...detail });
}

const MAX_CAUSES = 5;
const MAX_REASON_LENGTH = 200;

/** Returns the error and its causes. A cause may also be a plain object with details, which is left out. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  let next = error;
  while (next instanceof Error && causes.length < MAX_CAUSES) {
    causes.push(next);
    next = next.cause;
  }
  return causes;
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function describe(chain: readonly Error[]): string {
  const last = chain.at(-1);
  if (last === undefined) return 'unknown error';
  const text = last.message === '' ? (codeOf(last) ?? last.name) : last.message;
  return text.slice(0, MAX_REASON_LENGTH).replaceAll(/[^\x20-\x7e]/g, '?');
}
