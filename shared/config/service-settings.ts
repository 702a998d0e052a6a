import type { KafkaAddress } from '../kafka/connection.ts';
import { type TopicNames, topicNames } from '../kafka/topics.ts';
import type { EnvReader } from './env.ts';
import { readKafkaSecurity } from './kafka-security.ts';
import type { ShownSetting } from './shown-settings.ts';

/** The settings that all services share. */
export interface ServiceSettings {
  readonly kafka: Required<Pick<KafkaAddress, 'brokers' | 'security'>>;
  readonly topics: TopicNames;
  /** Encrypts secrets and authenticates log entries. 64 hexadecimal characters. */
  readonly secretKey: string;
  readonly topicPrefix: string;
  /** Number of partitions of new topics; existing topics keep theirs. */
  readonly recordPartitions: number;
  /** Serves health checks and, in the api, commands forwarded by other instances. Must not be reachable by clients. */
  readonly internal: {
    readonly host: string;
    readonly port: number;
    /** The host name under which other services reach this one, if it differs from `host`. */
    readonly advertisedHost: string | undefined;
  };
  readonly logLevel: string;
  /** Returns all of the service's settings after they have been read, without secret values. */
  readonly shown: () => readonly ShownSetting[];
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export function readServiceSettings(read: EnvReader): ServiceSettings {
  const topicPrefix = readTopicPrefix(read);
  const brokers = read.list('KAFKA_BROKERS');
  // Passed from npm start to its services, and therefore not shown.
  const chosen = read.list('ANNALS_SET_BY_START', []);
  return {
    kafka: { brokers, security: readKafkaSecurity(read, brokers) },
    topics: topicNames(topicPrefix),
    secretKey: reportBadSecretKey(read, read.secret('ANNALS_SECRET_KEY')),
    topicPrefix,
    recordPartitions: read.int('ANNALS_RECORD_PARTITIONS', { fallback: 4, min: 1, max: 1000 }),
    internal: {
      host: read.text('INTERNAL_HOST', '127.0.0.1'),
      port: read.int('INTERNAL_PORT', { min: 0, max: 65_535 }),
      advertisedHost: read.optionalText('INTERNAL_ADVERTISED_HOST'),
    },
    logLevel: read.choice('LOG_LEVEL', logLevels, 'info'),
    shown: () => read.shown(chosen).filter(({ name }) => name !== 'ANNALS_SET_BY_START'),
  };
}

const topicPrefixForm = /^[\w.-]{1,200}$/;

export function readTopicPrefix(read: EnvReader): string {
  const prefix = read.text('ANNALS_TOPIC_PREFIX', 'annals');
  if (!topicPrefixForm.test(prefix)) {
    read.problem(
      `ANNALS_TOPIC_PREFIX must consist of at most 200 letters, digits, dots, hyphens and underscores, got '${prefix}'`,
    );
  }
  return prefix;
}

const secretKeyForm = /^[0-9a-fA-F]{64}$/;

/** Validates the key and returns it unchanged. The message does not show it. An empty key has already been reported. */
export function reportBadSecretKey<Key extends string | undefined>(read: EnvReader, key: Key): Key {
  if (key && !secretKeyForm.test(key)) {
    read.problem('ANNALS_SECRET_KEY must be 64 hexadecimal characters');
  }
  return key;
}
