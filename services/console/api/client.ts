import createClient from 'openapi-fetch';
import { ApiError, isSignedOut, Unreachable } from './errors.ts';
import type { paths } from './schema.d.ts';
import { ReadOnlyView, viewedUserName } from './view-as.ts';

type Listener = () => void;
const listeners = new Set<Listener>();

/** Calls `listener` after every response with status 401. Returns a function that unsubscribes it. */
export function onSignedOut(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The API client, typed by the OpenAPI document. Throws an ApiError for every response other than 2xx. */
export const api = createClient<paths>({
  baseUrl: '/api/v1',
  credentials: 'same-origin',
  fetch: fetchOrThrow,
  querySerializer: (query) => {
    const pairs = Object.entries(query).flatMap(([name, value]) => toPairs(name, value));
    return new URLSearchParams(pairs).toString();
  },
});

function toPairs(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((one) => [`${name}[]`, String(one)]);
  return [[name, String(value)]];
}

/** The body of a successful GET response. */
export type ResponseOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

/** Returns the response body of an `api` call. */
export async function bodyOf<Body>(
  call: Promise<{ readonly data?: Body }>,
): Promise<Exclude<Body, undefined>> {
  return (await call).data as Exclude<Body, undefined>;
}

async function fetchOrThrow(request: Request): Promise<Response> {
  setViewedUser(request);
  const requestId = randomHex(16);
  request.headers.set('X-Requested-With', 'XMLHttpRequest');
  request.headers.set('traceparent', `00-${requestId}-${randomHex(8)}-01`);
  const response = await send(request, requestId);
  if (response.ok) return response;
  const error = await toError(response, requestId);
  if (isSignedOut(error) && !request.headers.has('Espo-Authorization')) {
    for (const listener of listeners) listener();
  }
  throw error;
}

/** Makes the request read as the user whose view is open. Throws if the request could change something as that user. */
function setViewedUser(request: Request): void {
  const userName = viewedUserName();
  // Requests that start or end a session are allowed, because the session is the administrator's.
  const isOwn = request.method !== 'GET' && new URL(request.url).pathname.endsWith('/App/session');
  if (userName === null || isOwn) return;
  if (request.method !== 'GET') throw new ReadOnlyView();
  request.headers.set('X-Another-User', userName);
}

async function send(request: Request, requestId: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Unreachable(error, requestId);
  }
}

async function toError(response: Response, requestId: string): Promise<ApiError> {
  const text = await response.text();
  const reason = response.headers.get('X-Status-Reason') ?? response.statusText;
  const consistencyToken = response.headers.get('X-Consistency-Token') ?? '';
  const { status } = response;
  return new ApiError({ status, reason, body: parse(text), requestId, consistencyToken });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Works without a secure context, unlike `crypto.randomUUID`. */
export function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
