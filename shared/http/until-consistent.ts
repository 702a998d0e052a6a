import type { IncomingHttpHeaders } from 'node:http';
import {
  createUntilProjected,
  PROJECTED_WITHIN_MS,
  type ProjectionWatch,
} from '../db/projection-watch.ts';
import type { DirectoryFollower } from '../directory/directory-follower.ts';
import type { TopicNames } from '../kafka/topics.ts';
import { inTime } from '../runtime/in-time.ts';
import { readConsistencyToken } from './consistency-token.ts';

export const consistencyTokenHeader = 'x-consistency-token';

/** Resolves when this process can read the writes in a request's X-Consistency-Token; immediately if it has none. */
export type UntilConsistent = (headers: IncomingHttpHeaders) => Promise<void>;

export function createUntilConsistent({
  projection,
  follower,
  topics,
}: {
  readonly projection: ProjectionWatch;
  readonly follower: DirectoryFollower;
  readonly topics: TopicNames;
}): UntilConsistent {
  const untilProjected = createUntilProjected(projection);
  return async (headers) => {
    const header = headers[consistencyTokenHeader];
    if (header === undefined) return;
    for (const { log, partition, offset } of readConsistencyToken(header)) {
      if (offset < 0n) continue;
      await untilProjected(topics[log], partition, offset);
      if (log === 'directory') await inTime(follower.waitFor(offset + 1n), PROJECTED_WITHIN_MS);
    }
  };
}
