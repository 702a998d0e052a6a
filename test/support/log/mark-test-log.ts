import { pino } from 'pino';
import { markLog } from '../../../shared/installation/inspect-log.ts';
import { createKafkaConnection, type KafkaAddress } from '../../../shared/kafka/connection.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { createEntryCodes } from '../../../shared/secrets/entry-codes.ts';

/**
 * Marks the log for a dispatcher without api and projector, which would otherwise do so. The log is not
 * sealed, because tests write without codes.
 */
export async function markTestLog(
  kafka: KafkaAddress,
  topics: TopicNames,
  secretKey: string,
): Promise<void> {
  const log = pino({ level: 'silent' });
  const connection = createKafkaConnection({ ...kafka, codes: createEntryCodes(secretKey) }, log);
  await markLog({ connection, topics, log }, { sealed: false });
  await connection.close();
}
