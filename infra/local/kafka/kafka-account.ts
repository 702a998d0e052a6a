import type { KafkaAccount } from '../../../shared/kafka/kafka-security.ts';

/** Returns the only account of a Kafka that Annals starts; clients, broker and controller use it. */
export function brokerAccount(password: string): KafkaAccount {
  return { mechanism: 'plain', userName: 'annals', password };
}

/**
 * Returns settings with which these listeners require the account. ACLs determine the permissions of other accounts
 * that an operator adds.
 */
export function accountSettings(
  account: KafkaAccount,
  listeners: readonly string[],
): Readonly<Record<string, string>> {
  return {
    'listener.security.protocol.map': listeners.map((name) => `${name}:SASL_PLAINTEXT`).join(),
    'sasl.enabled.mechanisms': 'PLAIN',
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'sasl.mechanism.controller.protocol': 'PLAIN',
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': `User:${account.userName}`,
    ...loginSettings(account, listeners),
  };
}

/** Returns the settings that contain passwords. */
export function loginSettings(
  account: KafkaAccount,
  listeners: readonly string[],
): Readonly<Record<string, string>> {
  // The accepted account, and the account to log in with.
  const login = toJaas(account, `user_${account.userName}="${account.password}"`);
  const nameOf = (listener: string) =>
    `listener.name.${listener.toLowerCase()}.plain.sasl.jaas.config`;
  return Object.fromEntries(listeners.map((listener) => [nameOf(listener), login]));
}

/** Returns the settings for Kafka's own command-line programs. */
export function clientSettings(account: KafkaAccount): Readonly<Record<string, string>> {
  return {
    'security.protocol': 'SASL_PLAINTEXT',
    'sasl.mechanism': 'PLAIN',
    'sasl.jaas.config': toJaas(account),
  };
}

function toJaas({ userName, password }: KafkaAccount, ...more: readonly string[]): string {
  const login = [`username="${userName}"`, `password="${password}"`, ...more].join(' ');
  return `org.apache.kafka.common.security.plain.PlainLoginModule required ${login};`;
}
