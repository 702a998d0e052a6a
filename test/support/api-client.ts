import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Credentials } from './credentials.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Header names in their original spelling, each followed by its value. */
  readonly rawHeaders: readonly string[];
  readonly text: string;
  /** The parsed text; undefined if it is not JSON. */
  readonly body: unknown;
}

export interface RequestParts {
  readonly method: string;
  /** The request target on the wire, including `/api/v1`. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** Paths are relative to `/api/v1`; a body other than text is sent as JSON. */
export interface ApiClient {
  get(path: string, headers?: Headers): Promise<ApiAnswer>;
  post(path: string, body?: unknown, headers?: Headers): Promise<ApiAnswer>;
  put(path: string, body?: unknown, headers?: Headers): Promise<ApiAnswer>;
  patch(path: string, body?: unknown, headers?: Headers): Promise<ApiAnswer>;
  delete(path: string, headers?: Headers): Promise<ApiAnswer>;
  /** Sends exactly these parts, without adding credentials or a content type. */
  send(parts: RequestParts): Promise<ApiAnswer>;
  /** Returns a client on the same connections with other credentials. */
  as(credentials: Credentials): ApiClient;
  close(): void;
}

const root = '/api/v1';
const timeoutMs = 60_000;

/** Creates a client of a running product over plain node:http. `localAddress` is the source address. */
export function createApiClient(
  url: string,
  credentials: Credentials,
  options: { readonly localAddress?: string } = {},
): ApiClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 256, ...options });
  return clientOf(
    (parts) => sendOnce({ url, agent }, parts),
    credentials,
    () => agent.destroy(),
  );
}

function clientOf(
  send: (parts: RequestParts) => Promise<ApiAnswer>,
  credentials: Credentials,
  close: () => void,
): ApiClient {
  const call = async (
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Headers },
  ): Promise<ApiAnswer> => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const type: Headers = text === undefined ? {} : { 'Content-Type': 'application/json' };
    return send({
      method,
      target: root + path,
      headers: { ...credentials(method, path), ...type, ...headers },
      body: text,
    });
  };
  return {
    get: async (path, headers = {}) => call('GET', path, { headers }),
    post: async (path, body, headers = {}) => call('POST', path, { body, headers }),
    put: async (path, body, headers = {}) => call('PUT', path, { body, headers }),
    patch: async (path, body, headers = {}) => call('PATCH', path, { body, headers }),
    delete: async (path, headers = {}) => call('DELETE', path, { headers }),
    send,
    as: (others) => clientOf(send, others, () => {}),
    close,
  };
}

async function sendOnce(
  { url, agent }: { readonly url: string; readonly agent: Agent },
  { method, target, headers, body }: RequestParts,
): Promise<ApiAnswer> {
  const { hostname, port } = new URL(url);
  const length = body === undefined ? {} : { 'Content-Length': `${Buffer.byteLength(body)}` };
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, hostname, port, method, path: target, headers: { ...length, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const { statusCode = 0, headers: received, rawHeaders } = response;
          resolve({ status: statusCode, headers: received, rawHeaders, text, body: parse(text) });
        });
      },
    );
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`no response within ${timeoutMs} ms`)));
    sent.on('error', reject);
    sent.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type WireRecord = Readonly<Record<string, unknown>> & { readonly id: string };

/** Returns the record in the response of a successful write or single read; throws otherwise. */
export function recordIn(answer: ApiAnswer): WireRecord {
  const { status, text, body } = answer;
  if (status >= 200 && status < 300 && isRecord(body)) return body;
  throw new Error(`expected a record, got status ${status}: ${text}`);
}

export interface WireList {
  readonly total: number;
  readonly list: readonly WireRecord[];
}

export function listIn(answer: ApiAnswer): WireList {
  const { status, text, body } = answer;
  if (status === 200 && isObject(body) && 'list' in body) return body as unknown as WireList;
  throw new Error(`expected a list, got status ${status}: ${text}`);
}

function isRecord(body: unknown): body is WireRecord {
  return isObject(body) && typeof body['id'] === 'string';
}

function isObject(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
