import { OperatorError } from '../local/operator-error.ts';
import type { Installation } from './installation.ts';

interface ApiCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** After `/api/v1`. */
  readonly path: string;
  readonly body?: unknown;
}

const TIMEOUT_MS = 30_000;

/** For what only the API may do. Throws OperatorError with the API's own words when it refuses. */
export async function callApi({ api }: Installation, call: ApiCall): Promise<unknown> {
  if (api === undefined) {
    throw new OperatorError(
      'The API is not known: name the data directory of a running npm start, or set ANNALS_URL and ANNALS_API_KEY.',
    );
  }
  const answer = await fetch(`${api.url}/api/v1${call.path}`, {
    method: call.method,
    headers: { ...api.headers, ...(call.body === undefined ? {} : contentType) },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new OperatorError(`The API at ${api.url} does not answer: ${String(cause)}`);
  });
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text);
  throw new OperatorError(`The API answers ${answer.status}: ${text.slice(0, 500)}`);
}

const contentType = { 'content-type': 'application/json' };
