import { type Listener, nameListener } from '../net/listener/identify-listener.ts';
import { type KafkaSecurity, saslMechanisms } from './kafka-security.ts';

/** Why a listener does not take this client, and what an operator has to change. */
export interface ListenerFault {
  readonly says: string;
  readonly remedy: string;
}

const ownAccount =
  'set KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD (access.json has those of a Kafka of npm start)';

/** How the listener at a broker's address and the settings of the client contradict each other; undefined if they fit. */
export function judgeListener(
  listener: Listener,
  { tls, account }: Partial<KafkaSecurity> = {},
): ListenerFault | undefined {
  if (listener.kind === 'unreachable') return judgeUnreachable(listener.code);
  if (listener.kind === 'http' || listener.kind === 'postgres') {
    return {
      says: `${nameListener(listener)} listens there, not Kafka`,
      remedy: 'correct the host and the port in KAFKA_BROKERS',
    };
  }
  if (listener.kind !== 'kafka') return undefined;
  return judgeTls(listener.tls, tls !== undefined) ?? judgeAccount(listener.mechanisms, account);
}

function judgeTls(isSpoken: boolean, isWanted: boolean): ListenerFault | undefined {
  if (isSpoken === isWanted) return undefined;
  return isSpoken
    ? {
        says: 'the broker requires TLS',
        remedy: 'set KAFKA_TLS=true, or name a listener without TLS in KAFKA_BROKERS',
      }
    : {
        says: 'the broker does not speak TLS there',
        remedy: 'unset KAFKA_TLS, or name a listener with TLS in KAFKA_BROKERS',
      };
}

function judgeAccount(
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
      says: 'the broker has no accounts there',
      remedy: 'unset KAFKA_SASL_MECHANISM, or name a listener with accounts in KAFKA_BROKERS',
    };
  }
  const usable = saslMechanisms.filter((name) => offered.includes(name)).join(' or ');
  return {
    says: `the broker offers ${mechanisms.join(', ')}, not ${account.mechanism}`,
    remedy: `set KAFKA_SASL_MECHANISM to ${usable || 'one of sasl.enabled.mechanisms of the brokers'}`,
  };
}

function judgeUnreachable(code: string): ListenerFault | undefined {
  return code === 'ENOTFOUND'
    ? { says: 'the host name does not resolve', remedy: 'correct the host in KAFKA_BROKERS' }
    : undefined;
}
