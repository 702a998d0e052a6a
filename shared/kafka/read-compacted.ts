import { decodeReadable } from '../events/decode-readable.ts';
import type { KafkaConnection } from './connection.ts';
import { readWhole } from './read-whole.ts';

/** The last value of every key in the only partition of a compacted topic. What `decode` cannot read is left out. */
export async function readCompacted<Value>(
  connection: KafkaConnection,
  topic: string,
  decode: (bytes: Buffer | null) => Value,
): Promise<Map<string, Value>> {
  const values = new Map<string, Value>();
  for await (const { key, value } of readWhole(connection, topic)) {
    const read = decodeReadable(value, decode);
    if (key !== null && read !== undefined) values.set(key, read);
  }
  return values;
}
