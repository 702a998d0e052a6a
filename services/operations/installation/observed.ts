import type { Client } from 'pg';
import type { Logger } from 'pino';
import type { StorageSettings } from '../../../shared/config/storage-settings.ts';
import type { KafkaAddress } from '../../../shared/kafka/connection.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';

/** The Annals that is looked at: its Kafka and its Postgres, and what its processes were told. */
export interface Observed {
  readonly kafka: KafkaAddress;
  readonly topics: TopicNames;
  /** Of topics, groups and transactional ids. */
  readonly topicPrefix: string;
  /** Of topics that are made. */
  readonly recordPartitions: number;
  /** The disks of Kafka and Postgres, as far as this machine has them. */
  readonly storage: StorageSettings;
  /** The key under which secrets are sealed, if this program was told. */
  readonly secretKey: string | undefined;
  /** Of the libraries below: only what somebody must see. */
  readonly log: Logger;
  /** A new connection each time. Throws Unavailable when the database does not answer. */
  readonly connect: () => Promise<Client>;
}
