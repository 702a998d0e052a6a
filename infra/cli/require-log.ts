import { Unavailable } from '../../shared/domain/errors.ts';
import { toLogAddress } from '../../shared/installation/log-address.ts';
import { withKafka } from '../../shared/kafka/connection.ts';
import { isCausedBy } from '../../shared/kafka/to-unavailable.ts';
import { OperatorError } from '../local/operator-error.ts';
import type { Installation } from './installation.ts';

/**
 * The installation with the address of its log. Throws OperatorError at once if topics are missing, instead of waiting
 * for them.
 */
export async function requireLog(installation: Installation): Promise<Installation> {
  const { kafka, topics } = installation;
  if (await isTopicThere(installation)) {
    return { ...installation, kafka: await toLogAddress(installation) };
  }
  throw new OperatorError(
    `There is no topic ${topics.directory} at ${kafka.brokers}: annals topics create makes it; ANNALS_TOPIC_PREFIX says whose topics are meant.`,
  );
}

/** For commands about the topics themselves. */
export async function requireKafka(installation: Installation): Promise<void> {
  await isTopicThere(installation);
}

/** Throws OperatorError if Kafka does not answer. */
async function isTopicThere(installation: Installation): Promise<boolean> {
  const { kafka, topics } = installation;
  try {
    await withKafka(installation, ({ partitionsOf }) => partitionsOf(topics.directory));
    return true;
  } catch (cause) {
    if (isCausedBy(cause, 'UNKNOWN_TOPIC_OR_PARTITION')) return false;
    const reason = cause instanceof Error ? cause.message.replace(/^Kafka: /, '') : String(cause);
    throw new OperatorError(describeSilence(kafka.brokers, reason, cause), { cause });
  }
}

function describeSilence(brokers: readonly string[], reason: string, cause: unknown): string {
  const remedy = cause instanceof Unavailable ? cause.remedy : undefined;
  return remedy === undefined
    ? `Kafka does not answer at ${brokers} (${reason}): start it, or set KAFKA_BROKERS.`
    : `Kafka at ${brokers} refuses (${reason}): ${remedy}.`;
}
