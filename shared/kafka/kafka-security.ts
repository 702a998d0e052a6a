import type { KafkaConfig, SASLOptions } from 'kafkajs';

/** What brokers ask for beside their address. Made by `readKafkaSecurity`. */
export interface KafkaSecurity {
  /** Undefined: in the clear. */
  readonly tls: KafkaTls | undefined;
  /** Undefined: as nobody, or as whom the client certificate names. */
  readonly account: KafkaAccount | undefined;
}

/** Everything in PEM form. */
export interface KafkaTls {
  /** Of the authorities that are trusted; undefined: those of Node. */
  readonly authorities: string | undefined;
  /** By which the brokers know this client. */
  readonly client: { readonly certificate: string; readonly key: string } | undefined;
}

export interface KafkaAccount {
  readonly mechanism: SaslMechanism;
  readonly userName: string;
  readonly password: string;
}

export const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

type SaslMechanism = (typeof saslMechanisms)[number];

/** A handshake takes longer than the second that kafkajs gives a connection, where many come at once. */
const CONNECTION_TIMEOUT_MS = 3_000;

/** As kafkajs takes it. A new object each time: kafkajs keeps notes in it. */
export function toKafkajsSecurity(
  security: KafkaSecurity | undefined,
): Pick<KafkaConfig, 'ssl' | 'sasl' | 'connectionTimeout'> {
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
  // kafkajs has a type for each mechanism, all of the same form.
  return { mechanism, username: userName, password } as SASLOptions;
}
