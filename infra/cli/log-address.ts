import { readMarks } from '../../shared/installation/mark-topic.ts';
import {
  createKafkaConnection,
  type KafkaAddress,
  type KafkaConnection,
} from '../../shared/kafka/connection.ts';
import { readCluster } from '../../shared/kafka/read-cluster.ts';
import { createEntryCodes, unverifiedCodes } from '../../shared/secrets/entry-codes.ts';
import { OperatorError } from '../local/operator-error.ts';
import type { Installation } from './installation.ts';

/** For writing marks, which needs the secret key. Throws OperatorError without it. */
export function connectForMarks({
  kafka,
  secretKey,
  log,
}: Pick<Installation, 'kafka' | 'secretKey' | 'log'>): KafkaConnection {
  if (secretKey === undefined) {
    throw new OperatorError('Set ANNALS_SECRET_KEY_FILE as the services have it.');
  }
  return createKafkaConnection({ ...kafka, codes: createEntryCodes(secretKey) }, log);
}

/**
 * For connections that read the log as its processes do: which entries count, and which partitions are in use. Without
 * the secret key the codes of entries are taken as they stand. Throws Unavailable.
 */
export async function toLogAddress({
  kafka,
  topics,
  secretKey,
  log,
}: Pick<Installation, 'kafka' | 'topics' | 'secretKey' | 'log'>): Promise<KafkaAddress> {
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
