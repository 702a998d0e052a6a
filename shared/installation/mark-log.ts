import type { Logger } from 'pino';
import type { KafkaConnection } from '../kafka/connection.ts';
import type { TopicNames } from '../kafka/topics.ts';
import { readLog } from './inspect-log.ts';
import { type KnownMark, type Mark, toMark } from './mark.ts';
import { appendMark } from './mark-topic.ts';

/**
 * Appends a mark for the current state of the log, based on the known mark. The caller must read the topic again to see
 * whether the mark counts, because another process may have been first. Throws Unavailable.
 */
export async function markLog(
  { connection, topics, log }: { connection: KafkaConnection; topics: TopicNames; log: Logger },
  known: KnownMark,
): Promise<Mark> {
  const mark = toMark(await readLog(connection, topics), known);
  await appendMark(connection, topics.installation, mark);
  const { installationId, generation, revision, clusterId, sealed } = mark;
  log.info({ installationId, generation, revision, clusterId, sealed }, 'log marked');
  return mark;
}
