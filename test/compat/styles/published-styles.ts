import type { ApiClient } from '../../support/api-client.ts';
import {
  type Credentials,
  withApiKey,
  withEspo,
  withHmacGlued,
  withHmacHex,
  withHmacRaw,
  withPassword,
} from '../../support/credentials.ts';
import { toBracketQuery } from './bracket-query.ts';
import { type CallingStyle, is2xx, is200, resultOf } from './calling-style.ts';

/** The parts of a request other than its credentials. */
interface Wire {
  readonly query?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type ToWire = (method: string, data: object | undefined) => Wire;

const json = { 'Content-Type': 'application/json' };
const asJson = (data: object | undefined): Wire =>
  data === undefined ? {} : { body: JSON.stringify(data), headers: json };

const inPhp = (value: unknown): string =>
  typeof value === 'boolean' ? `${Number(value)}` : String(value);
const inPython = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value);

/** The known behaviour of published clients on the wire, each with its own credentials and query form. */
export const publishedStyles: readonly CallingStyle[] = [
  {
    name: 'PHP: HMAC in hexadecimal, encoded brackets, DELETE with a body',
    updatesWith: 'PUT',
    canUnlink: true,
    expects200: false,
    connect: (api, { hmac }) =>
      speak(api, withHmacHex(hmac), is2xx, (method, data = {}) =>
        method === 'GET'
          ? { query: toBracketQuery(data, { encodesBrackets: true, toText: inPhp }) }
          : asJson(data),
      ),
  },
  {
    name: 'JavaScript: HMAC in hexadecimal, one searchParams in JSON',
    updatesWith: 'PUT',
    canUnlink: true,
    expects200: false,
    connect: (api, { hmac }) =>
      speak(api, withHmacHex(hmac), is2xx, (method, data) =>
        method === 'GET'
          ? data && { query: `searchParams=${encodeURIComponent(JSON.stringify(data))}` }
          : asJson(data),
      ),
  },
  {
    name: 'Python: True and False, DELETE with a query',
    updatesWith: 'PATCH',
    canUnlink: false,
    expects200: true,
    connect: (api, { apiKey }) =>
      speak(api, withApiKey(apiKey), is200, (method, data = {}) =>
        method === 'GET' || method === 'DELETE'
          ? { query: toBracketQuery(data, { encodesBrackets: true, toText: inPython }) }
          : asJson(data),
      ),
  },
  {
    name: 'Go: content type on every request, its own query name',
    updatesWith: 'PUT',
    canUnlink: true,
    expects200: true,
    connect: (api, { user }) =>
      speak(api, withPassword(user), is200, (method, data) => ({
        ...(method === 'GET'
          ? {
              query: toBracketQuery(
                { ...data, returnTotal: true },
                { encodesBrackets: true, toText: String },
              ),
            }
          : asJson(data)),
        headers: json,
      })),
  },
  {
    name: 'Zig: unencoded brackets, lowercase header names',
    updatesWith: 'PUT',
    canUnlink: true,
    expects200: true,
    connect: (api, { apiKey }) =>
      speak(
        api,
        () => ({ 'x-api-key': apiKey.apiKey }),
        is200,
        (method, data) =>
          method === 'GET'
            ? {
                query: toBracketQuery(
                  { ...data, total: true },
                  { encodesBrackets: false, toText: String },
                ),
              }
            : { ...asJson(data), headers: { 'content-type': 'application/json' } },
      ),
  },
  {
    name: 'Java and older copies: HMAC in bytes',
    updatesWith: 'PUT',
    canUnlink: true,
    expects200: true,
    connect: (api, { hmac }) =>
      speak(api, withHmacRaw(hmac), is200, (method, data = {}) =>
        method === 'GET'
          ? { query: toBracketQuery(data, { encodesBrackets: true, toText: String }) }
          : asJson(data),
      ),
  },
  {
    name: 'Rust: key and hash concatenated',
    updatesWith: 'PUT',
    canUnlink: true,
    expects200: false,
    connect: (api, { hmac }) =>
      speak(api, withHmacGlued(hmac), is2xx, (method, data = {}) =>
        method === 'GET'
          ? { query: toBracketQuery(data, { encodesBrackets: true, toText: String }) }
          : asJson(data),
      ),
  },
  {
    name: 'assistants: Espo-Authorization, PATCH, where as JSON text',
    updatesWith: 'PATCH',
    canUnlink: true,
    expects200: false,
    connect: (api, { user }) =>
      speak(
        api,
        withEspo({ userName: user.userName, secret: user.password }),
        is2xx,
        (method, data) => {
          const headers = { ...json, Accept: 'application/json' };
          return method === 'GET'
            ? { query: new URLSearchParams(flatten(data ?? {})).toString(), headers }
            : { ...asJson(data), headers };
        },
      ),
  },
];

/** Lists of names with commas, other lists and objects as JSON. */
function flatten(params: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, flattenValue(name, value)]),
  );
}

function flattenValue(name: string, value: unknown): string {
  if (name === 'select' && Array.isArray(value)) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function speak(
  api: ApiClient,
  credentials: Credentials,
  isSuccess: (status: number) => boolean,
  toWire: (...given: Parameters<ToWire>) => Wire | undefined,
): ReturnType<CallingStyle['connect']> {
  return async (method, action, data, headers) => {
    const wire = toWire(method, data);
    const query = wire?.query ? `?${wire.query}` : '';
    const answer = await api.send({
      method,
      target: `/api/v1/${action}${query}`,
      headers: { ...credentials(method, `/${action}`), ...wire?.headers, ...headers },
      body: wire?.body,
    });
    return resultOf(answer, isSuccess);
  };
}
