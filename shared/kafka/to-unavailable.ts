import { Unavailable } from '../domain/errors.ts';
import { judgeTlsFailure, type TlsFailure } from '../net/tls/judge-tls-failure.ts';
import type { ListenerFault } from './judge-listener.ts';

/** Converts errors of Kafka and the network. If waiting does not help, the message says what does. */
export function toUnavailable(what: string, cause: unknown): Unavailable {
  const errors = [...withCauses(cause)];
  const remedy = errors.map(findRemedy).find((found) => found !== undefined);
  return new Unavailable(`${what}: ${describe(cause)}`, { cause, remedy });
}

/** kafkajs combines several failures of one request into an error that names none of them. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const parts = partsOf(error);
  if (parts.length === 0) return error.message;
  return `${error.message} (${[...new Set(parts.map(({ message }) => message))].join(', ')})`;
}

/** Whether an error of Kafka with this type is the error, or among its causes. */
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
  untrusted: 'name the certificate of the authority of the brokers in KAFKA_TLS_CA_FILE',
  misnamed:
    'name the brokers as their certificates do, in KAFKA_BROKERS and in their advertised.listeners',
  outdated: 'renew the certificate of the broker, or set the clocks',
  refused:
    'name a listener that speaks TLS in KAFKA_BROKERS, or unset KAFKA_TLS; if the brokers want a certificate of their clients, set KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE',
};

/** By error type of Kafka. */
const byType: Readonly<Record<string, string>> = {
  SASL_AUTHENTICATION_FAILED: accountRemedy,
  UNSUPPORTED_SASL_MECHANISM:
    'set KAFKA_SASL_MECHANISM to one that the brokers have in sasl.enabled.mechanisms',
  ILLEGAL_SASL_STATE:
    'name a listener that knows accounts in KAFKA_BROKERS, or unset KAFKA_SASL_MECHANISM',
};

const rightsRemedy =
  'give the user of Annals the rights that docs/operations/install.md lists (kafka-acls.sh)';

/** A listener that cannot take this client, whatever the client waits for. */
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
  const tlsFailure = judgeTlsFailure(textOf(error, 'code'));
  if (tlsFailure !== undefined) return byTlsFailure[tlsFailure];
  if (type.endsWith('_AUTHORIZATION_FAILED')) return rightsRemedy;
  return byType[type] ?? (isRefusedLogin(error) ? accountRemedy : undefined);
}

/** kafkajs uses this name for all failed log-ins, also if the broker has gone away meanwhile. */
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
