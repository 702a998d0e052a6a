import { logLevel } from 'kafkajs';
import type { Logger } from 'pino';

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
