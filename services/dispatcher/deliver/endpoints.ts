import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Webhook } from '../../../shared/domain/webhook/webhook.ts';

/** Where a webhook's requests go, and what signs them. */
export interface Endpoint {
  readonly origin: string;
  readonly path: string;
  readonly keys: readonly [KeyObject, ...KeyObject[]];
}

export interface Endpoints {
  /** Throws when the url is none or the secret cannot be opened. */
  of(webhook: Pick<Webhook, 'id' | 'url' | 'secretKey'>): Endpoint;
  forget(webhookId: string): void;
}

interface KnownEndpoint {
  readonly url: string;
  readonly secretKey: string;
  readonly endpoint: Endpoint;
}

/** Opens a secret and reads a url once per revision of the webhook, not once per request. */
export function createEndpoints(openSecret: (sealed: string) => string): Endpoints {
  const known = new Map<string, KnownEndpoint>();
  return {
    of({ id, url, secretKey }) {
      const found = known.get(id);
      if (found?.url === url && found.secretKey === secretKey) return found.endpoint;
      const { protocol, origin, pathname, search } = new URL(url);
      if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`no web address: ${url}`);
      const key = createSecretKey(Buffer.from(openSecret(secretKey), 'utf8'));
      const endpoint: Endpoint = { origin, path: `${pathname}${search}`, keys: [key] };
      known.set(id, { url, secretKey, endpoint });
      return endpoint;
    },
    forget(webhookId) {
      known.delete(webhookId);
    },
  };
}
