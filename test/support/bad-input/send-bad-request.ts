import { expect } from 'vitest';
import type { ApiAnswer, ApiClient } from '../api-client.ts';
import type { BadRequest } from './bad-request.ts';

interface Circumstances {
  readonly api: ApiClient;
  readonly headers: Readonly<Record<string, string>>;
  /** Id of an existing account. */
  readonly accountId: string;
}

export async function sendBadRequest(
  { method, path, body, headers = {} }: BadRequest,
  circumstances: Circumstances,
): Promise<ApiAnswer> {
  const { 'Content-Type': type = 'application/json', ...others } = headers;
  const typed = body === undefined || type === '' ? {} : { 'Content-Type': type };
  return circumstances.api.send({
    method,
    target: `/api/v1${path.replace('{account}', circumstances.accountId)}`,
    headers: { ...circumstances.headers, ...typed, ...others },
    body: toText(body),
  });
}

/** Checks the parts of an error response that do not depend on the fault. */
export function expectRefusal(
  answer: ApiAnswer,
  status: number,
  method = 'any',
): { readonly message: string } {
  const { headers, rawHeaders, text, body } = answer;
  expect([answer.status, text]).toEqual([status, expect.anything()]);
  expect(headers['content-type']).toBe('application/json');
  expect(headers['x-content-type-options']).toBe('nosniff');
  // A published client relies on the exact spelling.
  const reason = rawHeaders[rawHeaders.indexOf('X-Status-Reason') + 1];
  expect(rawHeaders).toContain('X-Status-Reason');
  expect(reason).toMatch(/^[\x20-\x7e\xa0-\xff]+$/);
  // Responses about duplicates contain the records, which clients show to users.
  const isDuplicate = status === 409 && reason === 'duplicate';
  if (method !== 'HEAD' && !isDuplicate)
    expect(body).toMatchObject({ message: expect.stringMatching(/./) });
  return body as { message: string };
}

function toText(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return JSON.stringify(body);
}
