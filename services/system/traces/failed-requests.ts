/**
 * The newest failed requests in the memory of each api. The log of changes does not have them, and users report them
 * by their ids. They are lost when the process exits.
 */
import { type OtherApis, readFromApis } from '../peers/read-from-apis.ts';

export interface FailedRequest {
  readonly requestId: string;
  /** The end of the request, in milliseconds since 1970. */
  readonly atMs: number;
  readonly method: string;
  /** Without the query and without secrets. */
  readonly path: string;
  readonly status: number;
  /** The reason in the header X-Status-Reason. */
  readonly reason: string;
}

export interface FailedRequests {
  add(failed: FailedRequest): void;
  /** Oldest first: a client may use one trace for several requests. */
  find(requestId: string): readonly FailedRequest[];
}

const MAX_FAILED = 1_000;
export const failedPath = '/internal/failedRequests';

export function createFailedRequests(maxFailed = MAX_FAILED): FailedRequests {
  const newest: FailedRequest[] = [];
  return {
    add(failed) {
      newest.push(failed);
      if (newest.length > maxFailed) newest.shift();
    },
    find: (requestId) => newest.filter((one) => one.requestId === requestId),
  };
}

export async function readFailedRequests(
  failed: FailedRequests,
  others: OtherApis,
  requestId: string,
): Promise<readonly FailedRequest[]> {
  const found = await readFromApis<readonly FailedRequest[]>(others, `${failedPath}/${requestId}`);
  return [...failed.find(requestId), ...found.flat()];
}
