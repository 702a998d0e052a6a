import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { KNOWN_WITHIN_MS } from '../../../shared/http/serve-directory-progress.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { fetchMetadata, readMemberMetadata } from '../../../shared/kafka/group/member-metadata.ts';
import { inTime } from '../../../shared/runtime/in-time.ts';
import { createFresh } from '../../../shared/runtime/share-answers.ts';

const AGAIN_MS = 25;

/**
 * Returns a function that finds the internal addresses of all query processes, which are the members of a Kafka group.
 * A query process joins the group, then reads the directory to its end, and only then accepts requests. A change that is
 * already in the log when the members are read is therefore known to every query process that is not among them.
 *
 * During a rebalance, Kafka does not describe the members: the function waits briefly for its end. If Kafka does not
 * respond, it returns the members that were found last.
 */
export function createFindQueryProcesses(
  connection: KafkaConnection,
  groupId: string,
  log: Logger,
): () => Promise<readonly string[]> {
  let known: readonly string[] = [];

  async function find(): Promise<readonly string[]> {
    const until = performance.now() + KNOWN_WITHIN_MS;
    for (;;) {
      const metadata = await fetchMetadata(connection, groupId);
      if (metadata.every(({ length }) => length > 0)) {
        known = metadata.map((bytes) => readMemberMetadata(bytes).address);
        return known;
      }
      if (performance.now() > until) return known;
      await sleep(AGAIN_MS);
    }
  }

  // Concurrent writes share a request, but none that began before their entries were in the log.
  const findFresh = createFresh(find);
  return () =>
    inTime(findFresh(), KNOWN_WITHIN_MS).catch((err: unknown) => {
      log.debug({ err }, 'cannot read the query processes');
      return known;
    });
}
