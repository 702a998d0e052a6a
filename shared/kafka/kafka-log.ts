import { logLevel } from 'kafkajs';
import type { Logger } from 'pino';

interface KafkajsEntry {
  readonly level: number;
  readonly namespace: string;
  readonly log: { readonly message: string; readonly [key: string]: unknown };
}

/**
 * Sends kafkajs' own log lines through the service's logger. They become warnings at most: what an error of the
 * client means is known, and said, by the code that called it.
 */
export function toKafkajsLogCreator(log: Logger) {
  return () =>
    ({ level, namespace, log: entry }: KafkajsEntry): void => {
      const { message, timestamp: _, logger: __, stack: ___, ...fields } = entry;
      const line = { kafka: { namespace, message, ...fields } };
      if (level <= logLevel.WARN) log.debug(line, 'kafka client warned');
      else log.trace(line, 'kafka client');
    };
}
