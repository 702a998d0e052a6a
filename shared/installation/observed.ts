import type { Client } from 'pg';
import type { Logger } from 'pino';
import type { FileStoreSettings } from '../config/file-store-settings.ts';
import type { StorageSettings } from '../config/storage-settings.ts';
import type { KafkaAddress } from '../kafka/connection.ts';
import type { TopicNames } from '../kafka/topics.ts';

/** The log of an inspected installation. */
export interface ObservedLog {
  readonly kafka: KafkaAddress;
  readonly topics: TopicNames;
  /** The prefix of topics, groups and transactional ids. */
  readonly topicPrefix: string;
  /** Logs of the underlying libraries, limited to messages that an operator has to see. */
  readonly log: Logger;
}

/** The inspected installation: its log, its Postgres, and its settings. */
export interface Observed extends ObservedLog {
  /** The number of partitions of a new records topic. */
  readonly recordPartitions: number;
  /** The disks of Kafka and Postgres on this machine. */
  readonly storage: StorageSettings;
  /** Undefined if files are stored in the log. */
  readonly fileStore: FileStoreSettings | undefined;
  /** The key that seals secrets, if it is set. */
  readonly secretKey: string | undefined;
  /** Opens a new connection. Throws Unavailable if the database does not respond. */
  readonly connect: () => Promise<Client>;
}
