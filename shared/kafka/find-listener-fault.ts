import { type Listener, nameListener } from '../net/listener/identify-listener.ts';
import { type KafkaSecurity, saslMechanisms } from './kafka-security.ts';

/** The reason why a listener does not accept this client, and the change that an operator has to make. */
export interface ListenerFault {
  readonly says: string;
  readonly remedy: string;
}

const ownAccount =
  'set KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD (access.json has the values of an npm start)';

/** Returns how the client's settings contradict the listener at a broker's address; undefined if they match. */
export function findListenerFault(
  listener: Listener,
  { tls, account }: Partial<KafkaSecurity> = {},
): ListenerFault | undefined {
  if (listener.kind === 'unreachable') return findAddressFault(listener.code);
  if (listener.kind === 'http' || listener.kind === 'postgres') {
    return {
      says: `${nameListener(listener)} listens at this address, not Kafka`,
      remedy: 'correct the host and the port in KAFKA_BROKERS',
    };
  }
  if (listener.kind !== 'kafka') return undefined;
  return (
    findTlsFault(listener.tls, tls !== undefined) ?? findAccountFault(listener.mechanisms, account)
  );
}

function findTlsFault(isOffered: boolean, isConfigured: boolean): ListenerFault | undefined {
  if (isOffered === isConfigured) return undefined;
  return isOffered
    ? {
        says: 'the broker requires TLS',
        remedy: 'set KAFKA_TLS=true, or set KAFKA_BROKERS to a listener without TLS',
      }
    : {
        says: 'the broker does not use TLS on this port',
        remedy: 'unset KAFKA_TLS, or set KAFKA_BROKERS to a listener with TLS',
      };
}

function findAccountFault(
  mechanisms: readonly string[],
  account: KafkaSecurity['account'],
): ListenerFault | undefined {
  const offered = mechanisms.map((name) => name.toLowerCase());
  if (account === undefined) {
    const says = `the broker requires SASL (${mechanisms.join(', ')})`;
    return offered.length === 0 ? undefined : { says, remedy: ownAccount };
  }
  if (offered.includes(account.mechanism)) return undefined;
  if (offered.length === 0) {
    return {
      says: 'the broker does not use SASL on this port',
      remedy: 'unset KAFKA_SASL_MECHANISM, or set KAFKA_BROKERS to a listener with SASL',
    };
  }
  const usable = saslMechanisms.filter((name) => offered.includes(name)).join(' or ');
  return {
    says: `the broker offers ${mechanisms.join(', ')}, not ${account.mechanism}`,
    remedy: `set KAFKA_SASL_MECHANISM to ${usable || 'one of the mechanisms in sasl.enabled.mechanisms of the brokers'}`,
  };
}

function findAddressFault(code: string): ListenerFault | undefined {
  return code === 'ENOTFOUND'
    ? { says: 'the host name does not resolve', remedy: 'correct the host in KAFKA_BROKERS' }
    : undefined;
}
