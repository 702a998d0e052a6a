import type { Logger } from 'pino';
import { createKafkaConnection, type KafkaAddress } from '../kafka/connection.ts';
import { readCluster } from '../kafka/read-cluster.ts';
import type { TopicNames } from '../kafka/topics.ts';
import { createEntryCodes, unverifiedCodes } from '../secrets/entry-codes.ts';
import { readMarks } from './mark-topic.ts';

/**
 * For connections that read the log as its processes do: which entries count, and which partitions are in use. Without
 * the secret key the codes of entries are taken as they stand. Throws Unavailable.
 */
export async function toLogAddress({
  kafka,
  topics,
  secretKey,
  log,
}: {
  readonly kafka: KafkaAddress;
  readonly topics: Pick<TopicNames, 'installation'>;
  readonly secretKey: string | undefined;
  readonly log: Logger;
}): Promise<KafkaAddress> {
  const codes = secretKey === undefined ? unverifiedCodes : createEntryCodes(secretKey);
  const connection = createKafkaConnection({ ...kafka, codes }, log);
  try {
    const found = await readCluster(connection, [topics.installation]);
    if (found.topics.size === 0) return { ...kafka, codes };
    const { mark, foreign } = await readMarks(connection, topics.installation);
    // With another key than the services have, what they wrote can still be looked at.
    if (mark === undefined) return { ...kafka, codes: foreign ? unverifiedCodes : codes };
    return {
      ...kafka,
      codes:
        secretKey === undefined
          ? codes
          : createEntryCodes(secretKey, ({ topic, partition }) =>
              BigInt(mark.trustedBefore[topic]?.[partition] ?? 0),
            ),
      partitionsInUse: (topic) => mark.topics[topic]?.used,
    };
  } finally {
    await connection.close();
  }
}
