import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import {
  type KafkaAccount,
  type KafkaSecurity,
  type KafkaTls,
  saslMechanisms,
} from '../kafka/kafka-security.ts';
import type { EnvReader } from './env.ts';

/** Reads how to connect to these brokers. Files are read once: a new certificate requires a restart. */
export function readKafkaSecurity(read: EnvReader, brokers: readonly string[]): KafkaSecurity {
  const isTls = read.boolean('KAFKA_TLS', false);
  return { tls: readTls(read, isTls), account: readAccount(read, { isTls, brokers }) };
}

function readTls(read: EnvReader, isTls: boolean): KafkaTls | undefined {
  const files = {
    KAFKA_TLS_CA_FILE: read.optionalFile('KAFKA_TLS_CA_FILE'),
    KAFKA_TLS_CERT_FILE: read.optionalFile('KAFKA_TLS_CERT_FILE'),
    KAFKA_TLS_KEY_FILE: read.optionalFile('KAFKA_TLS_KEY_FILE'),
  };
  if (!isTls) {
    for (const [name, content] of Object.entries(files)) {
      if (content !== undefined) read.problem(`${name} is set, but KAFKA_TLS is not true`);
    }
    return undefined;
  }
  const authorities = files.KAFKA_TLS_CA_FILE;
  if (authorities) requireCertificate(read, 'KAFKA_TLS_CA_FILE', authorities);
  const client = toClient(read, files.KAFKA_TLS_CERT_FILE, files.KAFKA_TLS_KEY_FILE);
  return { authorities, client };
}

/** Empty content means an unreadable file, which has already been reported. */
function toClient(
  read: EnvReader,
  certificate: string | undefined,
  key: string | undefined,
): KafkaTls['client'] {
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) {
    const [given, missing] =
      key === undefined
        ? ['KAFKA_TLS_CERT_FILE', 'KAFKA_TLS_KEY_FILE']
        : ['KAFKA_TLS_KEY_FILE', 'KAFKA_TLS_CERT_FILE'];
    read.problem(`${missing} is required with ${given}`);
    return undefined;
  }
  if (certificate === '' || key === '') return undefined;
  const parsed = requireCertificate(read, 'KAFKA_TLS_CERT_FILE', certificate);
  const parsedKey = orUndefined(() => createPrivateKey(key));
  if (parsedKey === undefined) {
    read.problem('KAFKA_TLS_KEY_FILE must name a private key in PEM format without a passphrase');
  } else if (parsed?.checkPrivateKey(parsedKey) === false) {
    read.problem('KAFKA_TLS_KEY_FILE is not the key of the certificate in KAFKA_TLS_CERT_FILE');
  }
  return { certificate, key };
}

function requireCertificate(
  read: EnvReader,
  name: string,
  content: string,
): X509Certificate | undefined {
  const parsed = orUndefined(() => new X509Certificate(content));
  if (parsed === undefined) read.problem(`${name} must name a certificate in PEM format`);
  return parsed;
}

function orUndefined<Value>(parse: () => Value): Value | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function readAccount(
  read: EnvReader,
  { isTls, brokers }: { readonly isTls: boolean; readonly brokers: readonly string[] },
): KafkaAccount | undefined {
  const userName = read.optionalText('KAFKA_SASL_USERNAME');
  const password = read.optionalSecret('KAFKA_SASL_PASSWORD');
  const isNamed = read.optionalText('KAFKA_SASL_MECHANISM') !== undefined;
  const parts = { KAFKA_SASL_USERNAME: userName, KAFKA_SASL_PASSWORD: password };
  for (const [name, value] of Object.entries(parts)) {
    if ((value !== undefined) === isNamed) continue;
    read.problem(
      isNamed
        ? `${name} is required with KAFKA_SASL_MECHANISM`
        : `${name} is set, but KAFKA_SASL_MECHANISM is not`,
    );
  }
  if (!isNamed) return undefined;
  const mechanism = read.choice('KAFKA_SASL_MECHANISM', saslMechanisms);
  const isHere = read.boolean('KAFKA_ON_THIS_MACHINE', false);
  if (mechanism === 'plain' && !isTls && !isHere) requireLoopback(read, brokers);
  return { mechanism, userName: userName ?? '', password: password ?? '' };
}

function requireLoopback(read: EnvReader, brokers: readonly string[]): void {
  const far = brokers.filter((broker) => !isLoopback(broker));
  if (far.length === 0) return;
  read.problem(
    `KAFKA_SASL_MECHANISM=plain would send the password in the clear to ${far.join(', ')}: set KAFKA_TLS=true, or use scram-sha-512; if the brokers are containers on this machine, set KAFKA_ON_THIS_MACHINE=true`,
  );
}

function isLoopback(broker: string): boolean {
  const host = broker.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === 'localhost' || host === '::1';
}
