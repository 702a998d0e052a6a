import { decodeReadable } from '../events/decode-readable.ts';
import type { KafkaConnection } from './connection.ts';
import { readWhole } from './read-whole.ts';

/**
 * Reads the last value of every key of a compacted topic with one partition. Skips values that `decode` cannot read.
 */
export async function readCompacted<Value>(
  connection: KafkaConnection,
  topic: string,
  decode: (bytes: Buffer | null) => Value,
): Promise<Map<string, Value>> {
  const values = new Map<string, Value>();
  for await (const message of readWhole(connection, topic)) {
    const { key } = message;
    const read = decodeReadable(message, decode);
    if (key !== null && read !== undefined) values.set(key, read);
  }
  return values;
}
