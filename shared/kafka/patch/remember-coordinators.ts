import Cluster, { type CoordinatorRequest } from 'kafkajs/src/cluster/index.js';

interface CachedCoordinator {
  readonly answer: Promise<unknown>;
  readonly until: number;
}

const CACHED_FOR_MS = 1_000;
const findUncached = Cluster.prototype.findGroupCoordinatorMetadata;
const known = new WeakMap<Cluster, Map<string, CachedCoordinator>>();

/**
 * kafkajs 2.2.4 looks up the coordinator before each request to it: four of the nine round trips in a transaction, and
 * one of the two in a heartbeat. This patch caches the result for a second. A former coordinator rejects the request;
 * the caller then retries, or closes the connection and with it the cached result.
 */
export function rememberCoordinators(): void {
  Cluster.prototype.findGroupCoordinatorMetadata = findGroupCoordinatorMetadata;
}

function findGroupCoordinatorMetadata(
  this: Cluster,
  request: CoordinatorRequest,
): Promise<unknown> {
  const ofCluster = known.get(this) ?? new Map<string, CachedCoordinator>();
  known.set(this, ofCluster);
  const key = `${request.coordinatorType} ${request.groupId}`;
  const found = ofCluster.get(key);
  if (found !== undefined && found.until > performance.now()) return found.answer;
  const answer = findUncached.call(this, request);
  ofCluster.set(key, { answer, until: performance.now() + CACHED_FOR_MS });
  answer.catch(() => ofCluster.delete(key));
  return answer;
}
