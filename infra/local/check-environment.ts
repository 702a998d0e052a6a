import { pino } from 'pino';
import type { NamedUrl } from '../../shared/config/database-url.ts';
import { readEnv } from '../../shared/config/env.ts';
import { readKafkaSecurity } from '../../shared/config/kafka-security.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import { type KafkaAccess, toKafkaAccess } from './kafka/kafka-access.ts';
import { OperatorError } from './operator-error.ts';
import { findDatabaseFault } from './postgres/ask-database.ts';

/**
 * Checks the Kafka that the environment names. One broker that answers and accepts the account is enough: it names the
 * others. Undefined if Annals shall start its own.
 */
export async function checkKafka(env: NodeJS.ProcessEnv): Promise<KafkaAccess | undefined> {
  const named = env['KAFKA_BROKERS']?.trim();
  const [problem] = findKafkaProblems(env);
  if (problem !== undefined) throw new OperatorError(`${problem}.`);
  if (!named) return undefined;
  const { brokers, security } = readKafka(env);
  // Only here: most starts bring their own Kafka, and need no client to do so.
  const { withKafka } = await import('../../shared/kafka/connection.ts');
  const kafka = { brokers, security, clientId: 'annals-start' };
  try {
    await withKafka({ kafka, log: pino({ level: 'silent' }) }, ({ open }) => open());
    return toKafkaAccess(named, security.account);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    throw new OperatorError(describeSilence(named, error), { cause: error });
  }
}

/** Settings that contradict a Kafka which Annals starts itself. */
export function findKafkaProblems(env: NodeJS.ProcessEnv): readonly string[] {
  const isOwn = !env['KAFKA_BROKERS']?.trim();
  const asksForMore =
    env['KAFKA_TLS']?.trim() === 'true' || Boolean(env['KAFKA_SASL_MECHANISM']?.trim());
  return isOwn && asksForMore
    ? [
        'KAFKA_TLS or KAFKA_SASL_MECHANISM is set, but KAFKA_BROKERS is not, and the Kafka that Annals starts itself has an account of its own, and no TLS: set KAFKA_BROKERS, or unset them',
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

function describeSilence(brokers: string, { message, remedy }: Unavailable): string {
  const reason = message.replace(/^Kafka: /, '');
  return remedy === undefined
    ? `KAFKA_BROKERS names ${brokers}, but nothing answers there (${reason}): start that Kafka, correct the address, or unset KAFKA_BROKERS to let Annals start its own; a listener with TLS or accounts needs KAFKA_TLS or KAFKA_SASL_MECHANISM.`
    : `KAFKA_BROKERS names ${brokers}, which refuses us (${reason}): ${remedy}.`;
}

/** Throws OperatorError unless the database answers a query. */
export async function checkDatabase({ name, url }: NamedUrl): Promise<void> {
  const fault = await findDatabaseFault(url);
  if (fault === undefined) return;
  const { host, pathname } = new URL(url);
  const place = `${name} names database ${pathname.slice(1)} at ${host}`;
  const all = name === 'DATABASE_URL' ? name : `${name} and DATABASE_URL`;
  throw new OperatorError(
    fault.remedy === undefined
      ? `${place}, which does not answer (${fault.reason}): start that Postgres, correct the address, or unset ${all} to let Annals start its own.`
      : `${place}, which refuses us (${fault.reason}): ${fault.remedy.replaceAll('DATABASE_URL', name)}.`,
  );
}
