import type { AccessFile } from '../../../infra/local/supervisor/access-file.ts';
import type { ApiAnswer, ApiClient } from '../../support/api-client.ts';

/**
 * A client from its users' view: `action` is the path after `/api/v1/`; data of a GET are search parameters.
 */
export type Call = (
  method: string,
  action: string,
  data?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<unknown>;

/** How one family of published clients uses the API. */
export interface CallingStyle {
  readonly name: string;
  /** The method of updates. */
  readonly updatesWith: 'PUT' | 'PATCH';
  /** Whether it can send ids with a DELETE. */
  readonly canUnlink: boolean;
  /** Whether it treats everything but 200 as a failure, including the 201 of a new webhook. */
  readonly expects200: boolean;
  connect(api: ApiClient, access: AccessFile): Call;
}

/** The error that a client throws. Its users see only status and header, or the body as well. */
export class CallFailed extends Error {
  readonly status: number;
  readonly reason: string | undefined;
  readonly body: unknown;

  constructor({ status, reason, body }: Pick<CallFailed, 'status' | 'reason' | 'body'>) {
    super(`${status}: ${reason}`);
    this.status = status;
    this.reason = reason;
    this.body = body;
  }
}

export function resultOf(answer: ApiAnswer, isSuccess: (status: number) => boolean): unknown {
  const { status, body, text } = answer;
  if (!isSuccess(status)) throw new CallFailed({ status, reason: reasonOf(answer), body });
  // All clients parse a success, so an empty one would break them.
  if (body === undefined) throw new Error(`a success without JSON: ${status} ${text}`);
  return body;
}

export const is2xx = (status: number): boolean => status >= 200 && status < 300;
export const is200 = (status: number): boolean => status === 200;

/** Some clients look for exactly this spelling. */
function reasonOf({ rawHeaders }: ApiAnswer): string | undefined {
  const at = rawHeaders.indexOf('X-Status-Reason');
  return at === -1 ? undefined : rawHeaders[at + 1];
}
