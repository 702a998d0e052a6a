import { Unavailable } from '../domain/errors.ts';
import { classifyTlsFailure, type TlsFailure } from '../net/tls/classify-tls-failure.ts';
import type { ListenerFault } from './find-listener-fault.ts';

/** Converts Kafka and network errors. If waiting does not help, the error has a remedy. */
export function toUnavailable(what: string, cause: unknown): Unavailable {
  const errors = [...withCauses(cause)];
  const remedy = errors.map(findRemedy).find((found) => found !== undefined);
  return new Unavailable(`${what}: ${describe(cause)}`, { cause, remedy });
}

/** kafkajs combines several failures of one request into an error that does not name them. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const parts = partsOf(error);
  if (parts.length === 0) return error.message;
  return `${error.message} (${[...new Set(parts.map(({ message }) => message))].join(', ')})`;
}

/** Returns whether the error or one of its causes is a Kafka error of this type. */
export function isCausedBy(error: unknown, type: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('type' in cause && cause.type === type) return true;
  }
  return false;
}

function* withCauses(error: unknown): Generator<Error> {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    yield* [cause, ...partsOf(cause)];
}

function partsOf(error: Error): readonly Error[] {
  const parts: unknown = Reflect.get(error, 'errors');
  return Array.isArray(parts) ? parts.filter((part) => part instanceof Error) : [];
}

const accountRemedy =
  'correct KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD and KAFKA_SASL_MECHANISM, or the account in Kafka';

const byTlsFailure: Readonly<Record<TlsFailure, string>> = {
  untrusted: "set KAFKA_TLS_CA_FILE to the certificate of the brokers' certificate authority",
  misnamed:
    'use the names in the certificates of the brokers in KAFKA_BROKERS and in their advertised.listeners',
  outdated: 'renew the certificate of the broker, or correct the clocks',
  refused:
    'set KAFKA_BROKERS to a listener with TLS, or unset KAFKA_TLS; if the brokers require client certificates, set KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE',
};

/** Remedies by Kafka error type. */
const byType: Readonly<Record<string, string>> = {
  SASL_AUTHENTICATION_FAILED: accountRemedy,
  UNSUPPORTED_SASL_MECHANISM:
    'set KAFKA_SASL_MECHANISM to one of the mechanisms in sasl.enabled.mechanisms of the brokers',
  ILLEGAL_SASL_STATE: 'set KAFKA_BROKERS to a listener with SASL, or unset KAFKA_SASL_MECHANISM',
};

const permissionsRemedy =
  'grant the Kafka user of Annals the permissions in docs/operations/install.md (kafka-acls.sh)';

/** A listener that does not fit the client's settings; waiting does not help. */
export class UnfitListener extends Error {
  override readonly name = 'UnfitListener';
  readonly remedy: string;

  constructor({ says, remedy }: ListenerFault, cause: unknown) {
    super(says, { cause });
    this.remedy = remedy;
  }
}

function findRemedy(error: Error): string | undefined {
  if (error instanceof UnfitListener) return error.remedy;
  const type = textOf(error, 'type');
  const tlsFailure = classifyTlsFailure(textOf(error, 'code'));
  if (tlsFailure !== undefined) return byTlsFailure[tlsFailure];
  if (type.endsWith('_AUTHORIZATION_FAILED')) return permissionsRemedy;
  return byType[type] ?? (isRefusedLogin(error) ? accountRemedy : undefined);
}

/**
 * kafkajs uses this name for all failed logins, even if the broker disconnected in the meantime.
 */
function isRefusedLogin({ name, message }: Error): boolean {
  return (
    name === 'KafkaJSSASLAuthenticationError' &&
    !/connection|connected|timed out|timeout/i.test(message)
  );
}

function textOf(error: Error, name: string): string {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : '';
}
