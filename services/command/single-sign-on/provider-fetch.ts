import { Agent } from 'undici';
import { createGuardedConnector } from '../../../shared/net/connect/guarded-connector.ts';
import type { TargetGuard } from '../../../shared/net/find-addresses.ts';

/** The part of `fetch` that openid-client and jose use. */
export type ProviderFetch = (url: string, options: FetchOptions) => Promise<Response>;

interface FetchOptions {
  readonly method: string;
  readonly headers: Headers | Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** The limit for one request: name lookup, TLS, and the whole response. */
export const REQUEST_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** A token with 500 groups takes about 30 kB. */
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_ANSWER_BYTES = MAX_BODY_BYTES + 64 * 1024;

/**
 * Returns a `fetch` that reaches only the addresses that the guard allows, does not follow redirects, and rejects long
 * or slow responses. Connections are not kept, because sign-ins are rare and addresses are checked per connection.
 */
export function createProviderFetch(guard: TargetGuard): {
  readonly fetch: ProviderFetch;
  close(): Promise<void>;
} {
  const closing = new AbortController();
  const agent = new Agent({
    connect: createGuardedConnector({
      guard,
      timeoutMs: CONNECT_TIMEOUT_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      closing: closing.signal,
    }),
    allowH2: false,
    pipelining: 0,
    maxHeaderSize: 16 * 1024,
  });
  return {
    async fetch(url, { method, headers, body, signal }) {
      const { origin, pathname, search } = new URL(url);
      const limit = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
      const response = await agent.request({
        origin,
        path: `${pathname}${search}`,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(new Headers(headers)),
        body: body === undefined || body === null ? null : String(body),
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      const bytes = await readBounded(response.body);
      const kept = ['content-type', 'www-authenticate'].flatMap((name) => {
        const value = response.headers[name];
        return typeof value === 'string' ? [[name, value] as [string, string]] : [];
      });
      return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), {
        status: response.statusCode,
        headers: kept,
      });
    },
    async close() {
      closing.abort();
      await agent.destroy();
    },
  };
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('the response is longer than 1 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
