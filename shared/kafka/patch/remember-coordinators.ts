import Cluster, { type CoordinatorQuestion } from 'kafkajs/src/cluster/index.js';

interface Remembered {
  readonly answer: Promise<unknown>;
  readonly until: number;
}

const GOOD_FOR_MS = 1_000;
const ask = Cluster.prototype.findGroupCoordinatorMetadata;
const known = new WeakMap<Cluster, Map<string, Remembered>>();

/**
 * kafkajs 2.2.4 looks the coordinator up before each request to it: four of the nine round trips of a transaction, one of
 * two of a heartbeat. This patch keeps the result for a second. A former coordinator refuses the request. The caller then
 * tries again, or closes the connection and with it the cached result.
 */
export function rememberCoordinators(): void {
  Cluster.prototype.findGroupCoordinatorMetadata = findGroupCoordinatorMetadata;
}

function findGroupCoordinatorMetadata(
  this: Cluster,
  question: CoordinatorQuestion,
): Promise<unknown> {
  const ofCluster = known.get(this) ?? new Map<string, Remembered>();
  known.set(this, ofCluster);
  const key = `${question.coordinatorType} ${question.groupId}`;
  const found = ofCluster.get(key);
  if (found !== undefined && found.until > performance.now()) return found.answer;
  const answer = ask.call(this, question);
  ofCluster.set(key, { answer, until: performance.now() + GOOD_FOR_MS });
  answer.catch(() => ofCluster.delete(key));
  return answer;
}
