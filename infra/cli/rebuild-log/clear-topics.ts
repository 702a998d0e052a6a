import { setTimeout as sleep } from 'node:timers/promises';
import { readLog } from '../../../shared/installation/inspect-log.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import { createKafkajsClient, type KafkaConnection } from '../../../shared/kafka/connection.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { Installation } from '../installation.ts';

const DELETED_WITHIN_MS = 30_000;
const POLL_INTERVAL_MS = 200;

/** Returns the names of all Annals topics that contain an entry or ever did. */
export async function topicsWithEntries(
  connection: KafkaConnection,
  { topics }: Installation,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [topic, { partitions }] of (await readLog(connection, topics)).topics) {
    const ends = await readEnds(connection, topic, partitions);
    if (ends.some(({ offset }) => offset > 0n)) found.push(topic);
  }
  return found;
}

/** Deletes the topics of an unfinished run, and also empty topics, which may have a different number of partitions. */
export async function clearTopics(
  connection: KafkaConnection,
  { kafka, topics, log }: Installation,
): Promise<void> {
  const names = [...(await readLog(connection, topics)).topics.keys()];
  if (names.length === 0) return;
  const admin = createKafkajsClient(kafka, log).admin();
  try {
    await admin.connect();
    await admin.deleteTopics({ topics: names });
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
  const deadline = Date.now() + DELETED_WITHIN_MS;
  while ((await readLog(connection, topics)).topics.size > 0) {
    if (Date.now() > deadline)
      throw new OperatorError('Kafka has not deleted the topics of the previous run: try again.');
    await sleep(POLL_INTERVAL_MS);
  }
}
