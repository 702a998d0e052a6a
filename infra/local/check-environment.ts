import { pino } from 'pino';
import type { NamedUrl } from '../../shared/config/database-url.ts';
import { readEnv } from '../../shared/config/env.ts';
import { readKafkaSecurity } from '../../shared/config/kafka-security.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import { type KafkaAccess, toKafkaAccess } from './kafka/kafka-access.ts';
import { OperatorError } from './operator-error.ts';
import { findDatabaseFault } from './postgres/find-database-fault.ts';

/**
 * Checks the configured Kafka. One broker that responds and accepts the account is enough, because it lists the others.
 * Returns undefined if Annals has to start its own Kafka.
 */
export async function checkKafka(env: NodeJS.ProcessEnv): Promise<KafkaAccess | undefined> {
  const named = env['KAFKA_BROKERS']?.trim();
  const [problem] = findKafkaProblems(env);
  if (problem !== undefined) throw new OperatorError(`${problem}.`);
  if (!named) return undefined;
  const { brokers, security } = readKafka(env);
  // Imported only here, because most starts run their own Kafka and do not need a client for that.
  const { withKafka } = await import('../../shared/kafka/connection.ts');
  const kafka = { brokers, security, clientId: 'annals-start' };
  try {
    await withKafka({ kafka, log: pino({ level: 'silent' }) }, ({ open }) => open());
    return toKafkaAccess(named, security.account);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    throw new OperatorError(describeOutage(named, error), { cause: error });
  }
}

/** Returns settings that conflict with a Kafka that Annals starts itself. */
export function findKafkaProblems(env: NodeJS.ProcessEnv): readonly string[] {
  const isOwn = !env['KAFKA_BROKERS']?.trim();
  const hasClientSettings =
    env['KAFKA_TLS']?.trim() === 'true' || Boolean(env['KAFKA_SASL_MECHANISM']?.trim());
  return isOwn && hasClientSettings
    ? [
        'KAFKA_TLS or KAFKA_SASL_MECHANISM is set without KAFKA_BROKERS, but the Kafka that Annals starts uses its own account and no TLS: set KAFKA_BROKERS, or unset them',
      ]
    : [];
}

function readKafka(env: NodeJS.ProcessEnv) {
  const read = readEnv(env);
  const brokers = read.list('KAFKA_BROKERS', []);
  const security = readKafkaSecurity(read, brokers);
  if (read.problems.length > 0) throw new OperatorError(`${read.problems.join('; ')}.`);
  return { brokers, security };
}

function describeOutage(brokers: string, { message, remedy }: Unavailable): string {
  const reason = message.replace(/^Kafka: /, '');
  return remedy === undefined
    ? `The Kafka in KAFKA_BROKERS (${brokers}) does not respond (${reason}). Start it, correct the address, or unset KAFKA_BROKERS to let Annals start its own. A listener with TLS or SASL needs KAFKA_TLS or KAFKA_SASL_MECHANISM.`
    : `The Kafka in KAFKA_BROKERS (${brokers}) rejects the connection (${reason}): ${remedy}.`;
}

/** Throws OperatorError unless the database responds to a query. */
export async function checkDatabase({ name, url }: NamedUrl): Promise<void> {
  const fault = await findDatabaseFault(url);
  if (fault === undefined) return;
  const { host, pathname } = new URL(url);
  const place = `The database ${pathname.slice(1)} at ${host} (${name})`;
  const all = name === 'DATABASE_URL' ? name : `${name} and DATABASE_URL`;
  throw new OperatorError(
    fault.remedy === undefined
      ? `${place} does not respond (${fault.reason}). Start that Postgres, correct the address, or unset ${all} to let Annals start its own.`
      : `${place} rejects the connection (${fault.reason}): ${fault.remedy.replaceAll('DATABASE_URL', name)}.`,
  );
}
