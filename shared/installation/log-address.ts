import type { Logger } from 'pino';
import { type KafkaAddress, withKafka } from '../kafka/connection.ts';
import { readCluster } from '../kafka/read-cluster.ts';
import { createEntryCodes, type EntryCodes, unverifiedCodes } from '../secrets/entry-codes.ts';
import { type Mark, trustedBefore } from './mark.ts';
import { readMarks } from './mark-topic.ts';
import { wholeTopics } from './whole-topics.ts';

/**
 * Returns the address for connections that read the log like the services: only valid entries, and only the partitions
 * in use. Without the secret key, entry codes are not verified. Throws Unavailable.
 */
export async function toLogAddress({
  kafka,
  topics,
  secretKey,
  log,
}: {
  readonly kafka: KafkaAddress;
  readonly topics: Parameters<typeof wholeTopics>[0];
  readonly secretKey: string | undefined;
  readonly log: Logger;
}): Promise<KafkaAddress> {
  const codes = codesOf(secretKey);
  return withKafka({ kafka: { ...kafka, codes }, log }, async (connection) => {
    const found = await readCluster(connection, [topics.installation]);
    const whole = wholeTopics(topics, () => undefined);
    if (found.topics.size === 0) return { ...kafka, codes, whole };
    const { mark, foreign } = await readMarks(connection, topics.installation);
    // Even if the services use a different key, their entries can be inspected.
    if (mark === undefined) return { ...kafka, codes: foreign ? unverifiedCodes : codes, whole };
    return {
      ...kafka,
      codes: codesOf(secretKey, mark),
      partitionsInUse: (topic) => mark.topics[topic]?.used,
      whole: wholeTopics(topics, () => mark),
    };
  });
}

/** Returns the codes for a log with this mark. Without the secret key, codes are not verified. */
export function codesOf(secretKey: string | undefined, mark?: Mark): EntryCodes {
  if (secretKey === undefined) return unverifiedCodes;
  return createEntryCodes(secretKey, (place) => trustedBefore(mark, place));
}
