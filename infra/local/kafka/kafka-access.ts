import type { KafkaAccount, KafkaSecurity } from '../../../shared/kafka/kafka-security.ts';

/**
 * The address and account for connecting to Kafka, as stored in `access.json`. TLS settings are only in the
 * environment.
 */
export interface KafkaAccess extends Partial<SaslLogin> {
  /** Comma-separated `host:port` pairs. */
  readonly brokers: string;
}

/** All three properties, or none of them if Kafka does not require authentication. */
interface SaslLogin {
  readonly mechanism: KafkaAccount['mechanism'];
  readonly username: string;
  readonly password: string;
}

export function toKafkaAccess(brokers: string, account: KafkaAccount | undefined): KafkaAccess {
  if (account === undefined) return { brokers };
  const { mechanism, userName, password } = account;
  return { brokers, mechanism, username: userName, password };
}

/** Returns the part of `KafkaAddress` that needs no Kafka client, because `annals/testing` does not contain one. */
export function toKafkaAddress(
  access: KafkaAccess,
  clientId: string,
): {
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly security?: KafkaSecurity;
} {
  const { mechanism, username: userName = '', password = '' } = access;
  const brokers = access.brokers.split(',');
  if (mechanism === undefined) return { brokers, clientId };
  const account = { mechanism, userName, password };
  return { brokers, clientId, security: { tls: undefined, account } };
}

/** Returns environment variables for another process, which override the variables that it would inherit. */
export function toKafkaVariables(access: KafkaAccess) {
  return {
    KAFKA_BROKERS: access.brokers,
    KAFKA_SASL_MECHANISM: access.mechanism,
    KAFKA_SASL_USERNAME: access.username,
    KAFKA_SASL_PASSWORD: access.password,
    // A program rejects a secret that is set twice.
    KAFKA_SASL_PASSWORD_FILE: undefined,
  };
}
