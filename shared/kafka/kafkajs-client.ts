import { Kafka, logLevel } from 'kafkajs';
import type { Logger } from 'pino';
import type { KafkaAddress } from './connection.ts';
import { toKafkajsLogCreator } from './kafka-log.ts';
import { toKafkajsSecurity } from './kafka-security.ts';
import { patchKafkajs } from './patch/patch-kafkajs.ts';

/** Creates a client with the public API of kafkajs, for topics and transactions. */
export function createKafkajsClient(address: KafkaAddress, log: Logger): Kafka {
  patchKafkajs();
  return new Kafka({
    brokers: [...address.brokers],
    ...toKafkajsSecurity(address.security),
    clientId: address.clientId,
    logLevel: logLevel.WARN,
    logCreator: toKafkajsLogCreator(log),
  });
}
