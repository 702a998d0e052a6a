import { join } from 'node:path';
import { kafkaVersion } from '../prerequisites.mjs';

/** The volume that contains the secrets of a containerized installation. */
const keysDirectory = '/var/lib/annals/keys';

/** The volume in which version 0.1.0 stored the keys of both profiles. */
export const formerKeysDirectory = '/var/lib/annals/former-keys';

export const keys = {
  password: join(keysDirectory, 'password'),
  secretKey: join(keysDirectory, 'secret-key'),
  seed: join(keysDirectory, 'seed.json'),
  databaseUrl: join(keysDirectory, 'database-url'),
  access: join(keysDirectory, 'access.json'),
  kafkaPassword: join(keysDirectory, 'kafka-password'),
  /** In a separate volume, the only one with secrets that the Kafka containers mount. */
  kafkaServerProperties: '/var/lib/annals/kafka/server.properties',
  kafkaClientProperties: '/var/lib/annals/kafka/client.properties',
  /** Patched classes, which precede the jars on Kafka's class path. */
  kafkaClasses: `/var/lib/annals/kafka/classes-${kafkaVersion}`,
  /** In a separate volume, the only one with secrets that the Postgres container mounts. */
  databasePassword: '/var/lib/annals/database/password',
} as const;

/** The listeners of every broker in docker-compose.yml. */
export const kafkaListeners = ['INTERNAL', 'EXTERNAL', 'CONTROLLER'];
