import { createSecretKey, type KeyObject } from 'node:crypto';
import type { CustomHeaders } from '../../../../shared/domain/webhook/record/custom-headers.ts';
import type { Webhook } from '../../../../shared/domain/webhook/record/webhook.ts';
import {
  type TargetRules,
  type TargetVerdict,
  validateUrl,
} from '../../../../shared/net/validate-target.ts';

/** The url of a webhook, and the keys for signing its requests. */
export interface Endpoint {
  readonly origin: string;
  readonly path: string;
  readonly key: KeyObject;
  /**
   * The key of the secret before the last rotation. Requests are signed with it as well until this time (ms since
   * 1970).
   */
  readonly previous: { readonly key: KeyObject; readonly until: number } | undefined;
  readonly xSignatureFormat: Webhook['xSignatureFormat'];
  /** Names and values alternate. */
  readonly customHeaders: readonly string[];
}

/** Decrypts secrets and parses urls once per version of a webhook, not once per request. */
export class Endpoints {
  readonly #openSecret: (sealed: string) => string;
  readonly #known = new WeakMap<Webhook, Endpoint>();

  constructor(openSecret: (sealed: string) => string) {
    this.#openSecret = openSecret;
  }

  /** Throws if the url is invalid or the secret cannot be decrypted. */
  of(webhook: Webhook): Endpoint {
    const endpoint = this.#known.get(webhook) ?? openEndpoint(webhook, this.#openSecret);
    this.#known.set(webhook, endpoint);
    return endpoint;
  }
}

function openEndpoint(source: Webhook, openSecret: (sealed: string) => string): Endpoint {
  const { url, secretKey, sealedHeaders, previousSecretKey, previousSecretUntil } = source;
  const { protocol, origin, pathname, search } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new Error(`the url is neither http nor https: ${url}`);
  const toKey = (sealed: string) => createSecretKey(Buffer.from(openSecret(sealed), 'utf8'));
  const custom: CustomHeaders = sealedHeaders === null ? {} : JSON.parse(openSecret(sealedHeaders));
  return {
    origin,
    path: `${pathname}${search}`,
    key: toKey(secretKey),
    previous: openPrevious({ sealed: previousSecretKey, until: previousSecretUntil }, toKey),
    xSignatureFormat: source.xSignatureFormat,
    customHeaders: Object.entries(custom).flat(),
  };
}

/** Omits a previous secret that cannot be decrypted because the master key was replaced. */
function openPrevious(
  { sealed, until }: { readonly sealed: string | null; readonly until: number },
  toKey: (sealed: string) => KeyObject,
): Endpoint['previous'] {
  try {
    return sealed === null ? undefined : { key: toKey(sealed), until };
  } catch {
    return undefined;
  }
}

/** Validations expire, because requests may not go to this machine's own addresses, and these can change. */
const GOOD_FOR_MS = 1_000;
const MAX_URLS = 10_000;

/**
 * Returns a function that validates urls, each at most once a second. The decisive check is made for every connection
 * (guard/guarded-connector.ts).
 */
export function createUrlValidator(
  rules: TargetRules,
  now: () => number,
): (url: string) => TargetVerdict {
  const known = new Map<string, { readonly verdict: TargetVerdict; readonly until: number }>();
  return (url) => {
    const found = known.get(url);
    if (found !== undefined && found.until > now()) return found.verdict;
    if (known.size >= MAX_URLS) known.clear();
    const verdict = validateUrl(url, rules);
    known.set(url, { verdict, until: now() + GOOD_FOR_MS });
    return verdict;
  };
}
