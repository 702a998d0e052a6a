import { join } from 'node:path';
import { kafkaVersion } from '../prerequisites.mjs';

/** The volume with the secrets of an installation in containers. */
const keysDirectory = '/var/lib/annals/keys';

/** The volume of version 0.1.0, which both profiles shared for their keys. */
export const formerKeysDirectory = '/var/lib/annals/former-keys';

export const keys = {
  password: join(keysDirectory, 'password'),
  secretKey: join(keysDirectory, 'secret-key'),
  seed: join(keysDirectory, 'seed.json'),
  databaseUrl: join(keysDirectory, 'database-url'),
  access: join(keysDirectory, 'access.json'),
  kafkaPassword: join(keysDirectory, 'kafka-password'),
  /** In a separate volume, the only one that the containers of Kafka mount. */
  kafkaServerProperties: '/var/lib/annals/kafka/server.properties',
  kafkaClientProperties: '/var/lib/annals/kafka/client.properties',
  /** Patched classes, which come before the jars on the class path of Kafka. */
  kafkaClasses: `/var/lib/annals/kafka/classes-${kafkaVersion}`,
  /** In a separate volume, the only one with a secret that the container of Postgres mounts. */
  databasePassword: '/var/lib/annals/database/password',
} as const;

/** The listeners of every broker in docker-compose.yml. */
export const kafkaListeners = ['INTERNAL', 'EXTERNAL', 'CONTROLLER'];
