import { availableParallelism } from 'node:os';
import type { KafkaAccount } from '../../../shared/kafka/kafka-security.ts';

export interface KafkaPlace {
  readonly brokerPort: number;
  readonly controllerPort: number;
  readonly logDirectory: string;
  /** The only account that the broker accepts. */
  readonly account: KafkaAccount;
  /** Settings that supplement or replace the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Settings of a single broker that is its own controller and serves one installation. */
export const singleBrokerSettings: Readonly<Record<string, string>> = {
  'process.roles': 'broker,controller',
  'node.id': '1',
  'controller.listener.names': 'CONTROLLER',
  'auto.create.topics.enable': 'false',
  'offsets.topic.replication.factor': '1',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'group.initial.rebalance.delay.ms': '0',
  // Ten years. With the default of a week, an installation that was stopped for longer would lose the positions of
  // webhooks and send every past event again.
  'offsets.retention.minutes': '5256000',
  // A killed broker can register again only when its old session has expired. With the default of 9 s a restart took 9
  // to 12 s, with these settings 5.7 s (3 s without a kill).
  'broker.session.timeout.ms': '3000',
  'broker.heartbeat.interval.ms': '500',
  // If the disk is full during the start, it may be that only the broker's controller stops. The broker then waits for
  // the controller, by default for a minute, before it exits and is restarted.
  'initial.broker.registration.timeout.ms': '15000',
  ...threadsFor(availableParallelism()),
};

/**
 * Kafka's defaults of three network threads and eight request threads are for larger machines. On two processors, the
 * p99 latency of writes is lower with one and three.
 */
function threadsFor(processors: number): Readonly<Record<string, string>> {
  return {
    'num.network.threads': `${Math.min(Math.ceil(processors / 4), 3)}`,
    'num.io.threads': `${Math.min(processors + 1, 8)}`,
  };
}

/** Renders the configuration of a broker that listens on the loopback interface only. It contains the password. */
export function renderKafkaProperties(place: KafkaPlace): string {
  const { brokerPort, controllerPort, logDirectory, account, settings } = place;
  const properties = {
    ...singleBrokerSettings,
    ...accountSettings(account, ['CLIENT', 'CONTROLLER']),
    'inter.broker.listener.name': 'CLIENT',
    'controller.quorum.bootstrap.servers': `127.0.0.1:${controllerPort}`,
    listeners: `CLIENT://127.0.0.1:${brokerPort},CONTROLLER://127.0.0.1:${controllerPort}`,
    'log.dirs': logDirectory,
    ...settings,
  };
  return renderProperties(properties);
}

/** Renders a Java properties file. */
export function renderProperties(properties: Readonly<Record<string, string>>): string {
  const lines = Object.entries(properties).map(([name, value]) => `${name}=${escapeValue(value)}`);
  return `${lines.join('\n')}\n`;
}

/** Java interprets a backslash as an escape, and needs `\uXXXX` for characters outside Latin-1. */
function escapeValue(value: string): string {
  return value
    .replaceAll('\\', '\\\\')
    .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns the only account of a Kafka that Annals starts. Clients, the broker and the controller all use it. */
export function brokerAccount(password: string): KafkaAccount {
  return { mechanism: 'plain', userName: 'annals', password };
}

/**
 * Returns settings that make these listeners require the account. If an operator adds other accounts, ACLs determine
 * their permissions.
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
