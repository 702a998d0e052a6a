import { join } from 'node:path';
import { kafkaVersion } from '../prerequisites.mjs';

/** Where the containers of one installation keep what only they may know. */
const keysDirectory = '/var/lib/annals/keys';

/** The volume of 0.1.0, whose profiles shared their keys. */
export const formerKeysDirectory = '/var/lib/annals/former-keys';

export const keys = {
  password: join(keysDirectory, 'password'),
  secretKey: join(keysDirectory, 'secret-key'),
  seed: join(keysDirectory, 'seed.json'),
  databaseUrl: join(keysDirectory, 'database-url'),
  access: join(keysDirectory, 'access.json'),
  kafkaPassword: join(keysDirectory, 'kafka-password'),
  /** Apart from the rest: all that the containers of Kafka are shown. */
  kafkaServerProperties: '/var/lib/annals/kafka/server.properties',
  kafkaClientProperties: '/var/lib/annals/kafka/client.properties',
  /** In front of the jars on the class path of the containers of Kafka. */
  kafkaClasses: `/var/lib/annals/kafka/classes-${kafkaVersion}`,
  /** Apart from the rest: all that the container of Postgres is shown. */
  databasePassword: '/var/lib/annals/database/password',
} as const;

/** Of every broker, as docker-compose.yml names them. */
export const kafkaListeners = ['INTERNAL', 'EXTERNAL', 'CONTROLLER'];
