import type { KafkaConfig, SASLOptions } from 'kafkajs';

/** TLS and SASL settings for connections to brokers. Created by `readKafkaSecurity`. */
export interface KafkaSecurity {
  /** If undefined, TLS is not used. */
  readonly tls: KafkaTls | undefined;
  /** If undefined, SASL is not used; the client certificate may authenticate the client instead. */
  readonly account: KafkaAccount | undefined;
}

/** All values in PEM format. */
export interface KafkaTls {
  /** Certificates of trusted authorities; if undefined, Node's default authorities are trusted. */
  readonly authorities: string | undefined;
  /** The certificate by which brokers identify this client. */
  readonly client: { readonly certificate: string; readonly key: string } | undefined;
}

export interface KafkaAccount {
  readonly mechanism: SaslMechanism;
  readonly userName: string;
  readonly password: string;
}

export const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

type SaslMechanism = (typeof saslMechanisms)[number];

/** kafkajs allows one second by default, but a handshake takes longer while many connections are being opened. */
const CONNECTION_TIMEOUT_MS = 3_000;

/** Returns options for kafkajs. A new object each time, because kafkajs modifies it. */
export function toKafkajsSecurity(security: KafkaSecurity | undefined): Partial<KafkaConfig> {
  const { tls, account } = security ?? {};
  return {
    ...(tls === undefined
      ? {}
      : { ssl: toTlsOptions(tls), connectionTimeout: CONNECTION_TIMEOUT_MS }),
    ...(account === undefined ? {} : { sasl: toSaslOptions(account) }),
  };
}

function toTlsOptions({ authorities, client }: KafkaTls) {
  return {
    ...(authorities === undefined ? {} : { ca: authorities }),
    ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
  };
}

function toSaslOptions({ mechanism, userName, password }: KafkaAccount): SASLOptions {
  // kafkajs has a separate type for each mechanism, all with the same properties.
  return { mechanism, username: userName, password } as SASLOptions;
}
