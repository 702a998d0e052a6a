import { Kafka, logLevel } from 'kafkajs';
import type { Logger } from 'pino';
import type { KafkaAddress } from './connection.ts';
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

interface KafkajsEntry {
  readonly level: number;
  readonly namespace: string;
  readonly log: { readonly message: string; readonly [key: string]: unknown };
}

/**
 * Sends log lines of kafkajs to the service's logger at debug level at most: the code that calls the client logs
 * errors according to their meaning.
 */
export function toKafkajsLogCreator(log: Logger) {
  return () =>
    ({ level, namespace, log: entry }: KafkajsEntry): void => {
      const { message, timestamp: _, logger: __, stack: ___, ...fields } = entry;
      const line = { kafka: { namespace, message, ...fields } };
      if (level <= logLevel.WARN) log.debug(line, 'kafka client warning');
      else log.trace(line, 'kafka client');
    };
}
