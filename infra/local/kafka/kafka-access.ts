import type { KafkaAccount, KafkaSecurity } from '../../../shared/kafka/kafka-security.ts';

/** How to reach a Kafka, as `access.json` says it. TLS stands in the environment alone. */
export interface KafkaAccess extends Partial<SaslLogin> {
  /** `host:port` each, with commas between them. */
  readonly brokers: string;
}

/** All three, or none of them where a Kafka asks nobody who he is. */
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

/** The part of `KafkaAddress` that needs no Kafka client: `annals/testing` has none. */
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

/** For another process. Whatever its environment said of these before no longer counts. */
export function toKafkaVariables(access: KafkaAccess) {
  return {
    KAFKA_BROKERS: access.brokers,
    KAFKA_SASL_MECHANISM: access.mechanism,
    KAFKA_SASL_USERNAME: access.username,
    KAFKA_SASL_PASSWORD: access.password,
    // A program refuses a secret that it is told twice.
    KAFKA_SASL_PASSWORD_FILE: undefined,
  };
}
