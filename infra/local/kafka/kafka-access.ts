import type { KafkaAccount, KafkaSecurity } from '../../../shared/kafka/kafka-security.ts';

/**
 * The address and account of a Kafka, as in `access.json`. TLS settings are only in the
 * environment.
 */
export interface KafkaAccess extends Partial<SaslLogin> {
  /** Comma-separated `host:port` pairs. */
  readonly brokers: string;
}

/** All three properties, or none if the Kafka requires no authentication. */
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

/**
 * Returns the part of `KafkaAddress` that does not need a Kafka client, which `annals/testing`
 * lacks.
 */
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

/** Returns the variables for another process. They override the variables in its environment. */
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
