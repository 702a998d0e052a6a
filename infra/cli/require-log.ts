import { checkInstalledLog } from '../../services/system/installation/inspect-installed-log.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import { toLogAddress } from '../../shared/installation/log-address.ts';
import { withKafka } from '../../shared/kafka/connection.ts';
import { isCausedBy } from '../../shared/kafka/to-unavailable.ts';
import { OperatorError } from '../local/operator-error.ts';
import type { Installation } from './installation.ts';

/**
 * Returns the installation with the address of its log. If topics are missing, throws OperatorError immediately instead
 * of waiting for them.
 */
export async function requireLog(installation: Installation): Promise<Installation> {
  const { kafka, topics } = installation;
  if (await hasDirectoryTopic(installation)) {
    return { ...installation, kafka: await toLogAddress(installation) };
  }
  throw new OperatorError(
    `The topic ${topics.directory} does not exist at ${kafka.brokers}: create it with annals topics create, or correct ANNALS_TOPIC_PREFIX.`,
  );
}

/** Throws OperatorError if Kafka does not respond, but accepts missing topics. For commands that manage topics. */
export async function requireKafka(installation: Installation): Promise<void> {
  await hasDirectoryTopic(installation);
}

/** Returns whether the directory topic exists. Throws OperatorError if Kafka does not respond. */
async function hasDirectoryTopic(installation: Installation): Promise<boolean> {
  const { kafka, topics } = installation;
  try {
    await withKafka(installation, ({ partitionsOf }) => partitionsOf(topics.directory));
    return true;
  } catch (cause) {
    if (isCausedBy(cause, 'UNKNOWN_TOPIC_OR_PARTITION')) return false;
    const reason = cause instanceof Error ? cause.message.replace(/^Kafka: /, '') : String(cause);
    throw new OperatorError(describeOutage(kafka.brokers, reason, cause), { cause });
  }
}

function describeOutage(brokers: readonly string[], reason: string, cause: unknown): string {
  const remedy = cause instanceof Unavailable ? cause.remedy : undefined;
  return remedy === undefined
    ? `Kafka at ${brokers} does not respond (${reason}): start it, or set KAFKA_BROKERS.`
    : `Kafka at ${brokers} rejects the connection (${reason}): ${remedy}.`;
}

/** Throws OperatorError for a log with known damage. Reading a log with an unknown gap fails later. */
export async function refuseDamagedLog(installation: Installation): Promise<void> {
  const verdict = await checkInstalledLog(installation);
  if (verdict.kind !== 'refused' || verdict.isReplaceable !== true) return;
  throw new OperatorError(`The log is damaged: ${verdict.says}. ${verdict.remedy}.`);
}
