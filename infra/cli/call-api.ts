import { toObject } from '../../shared/domain/value/attribute-values.ts';
import { OperatorError } from '../local/operator-error.ts';
import { parseJson } from '../local/try-or.ts';
import type { Installation } from './installation.ts';

interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path after `/api/v1`. */
  readonly path: string;
  readonly body?: unknown;
  /** A file as the body, instead of JSON. */
  readonly file?: { readonly type: string; readonly bytes: Buffer };
  /** The version that the record must have, from its ETag. */
  readonly ifMatch?: string | undefined;
}

const TIMEOUT_MS = 30_000;

/**
 * Sends a request to the API. Used for changes that only the API may make. Throws OperatorError with the API's message.
 */
export async function callApi(installation: Installation, call: ApiCall): Promise<unknown> {
  return (await callVersioned(installation, call)).body;
}

/** Like callApi, but also returns the version of the returned record. */
export async function callVersioned(
  installation: Installation,
  call: ApiCall,
): Promise<{ readonly body: unknown; readonly version: string | undefined }> {
  const response = await send(installation, call);
  const body: unknown = JSON.parse(await response.text());
  return { body, version: response.headers.get('etag') ?? undefined };
}

/** Returns the bytes of a file. `path` begins after `/api/v1`. */
export async function downloadFile(installation: Installation, path: string): Promise<Uint8Array> {
  return (await send(installation, { method: 'GET', path })).bytes();
}

async function send({ api }: Installation, call: ApiCall): Promise<Response> {
  if (api === undefined) {
    throw new OperatorError(
      'The address of the API is unknown: set --data-dir to the data directory of a running npm start, or set ANNALS_URL with ANNALS_API_KEY, or with ANNALS_USER and ANNALS_PASSWORD.',
    );
  }
  const response = await fetch(`${api.url}/api/v1${call.path}`, {
    method: call.method,
    headers: {
      ...api.headers,
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(call.file === undefined ? {} : { 'content-type': call.file.type }),
      ...(call.ifMatch === undefined ? {} : { 'if-match': call.ifMatch }),
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    ...(call.file === undefined ? {} : { body: new Uint8Array(call.file.bytes) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new OperatorError(describeOutage(api.url, call, cause), { cause });
  });
  if (response.ok) return response;
  throw new OperatorError(describeRefusal(response, await response.text()));
}

function describeOutage(url: string, { method }: ApiCall, error: unknown): string {
  // Node puts the reason for a failed fetch into `cause`.
  const reason = error instanceof Error ? (error.cause ?? error) : error;
  const doubt = method === 'GET' ? '' : ' It is unknown whether the request was executed.';
  return `The API at ${url} does not respond (${describe(reason)}).${doubt}`;
}

function describe(reason: unknown): string {
  if (reason instanceof AggregateError) return reason.errors.map(describe).join(', ');
  return reason instanceof Error ? reason.message : String(reason);
}

/** Returns a list of all problems if the validation failed, otherwise the message of the error. */
function describeRefusal({ status }: Response, text: string): string {
  const body = toObject(parseJson(text));
  const errors = Array.isArray(body['errors']) ? body['errors'] : [];
  const problems = errors.map((one) => `${one.field}: ${one.message}`);
  const message = problems.length > 0 ? problems.join(', ') : String(body['message'] ?? text);
  const hint =
    status === 401 ? ' Set ANNALS_USER and ANNALS_PASSWORD if the password was changed.' : '';
  return `The API returned ${status}: ${message.slice(0, 500)}.${hint}`.replace('..', '.');
}
