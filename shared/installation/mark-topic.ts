import { decodeReadable } from '../events/decode-readable.ts';
import { createAppendMessages } from '../kafka/append.ts';
import type { KafkaConnection } from '../kafka/connection.ts';
import { startOffset } from '../kafka/read-partitions.ts';
import { readWhole } from '../kafka/read-whole.ts';
import { decodeMark, encodeMark, type Mark } from './mark.ts';

export interface FoundMarks {
  /** The mark in effect. */
  readonly mark: Mark | undefined;
  /** The newest mark with a wrong code, created with another secret key or by a foreign writer. */
  readonly foreign: Mark | undefined;
}

/**
 * Reads the topic from its beginning; it contains only a few entries. An existing mark counts even if others are
 * missing. Throws Unavailable.
 */
export async function readMarks(kafka: KafkaConnection, topic: string): Promise<FoundMarks> {
  const connection = { ...kafka, whole: undefined };
  const start = await startOffset(connection, topic, 0);
  let mark: Mark | undefined;
  let foreign: Mark | undefined;
  for await (const message of readWhole(connection, topic, start)) {
    const { proof } = message;
    const read = proof === 'none' ? undefined : decodeReadable(message, decodeMark);
    if (read === undefined) continue;
    if (proof === 'wrong') foreign = newer(foreign, read);
    else mark = newer(mark, read);
  }
  return { mark, foreign };
}

/** The first mark of each revision counts, so that processes that concurrently mark a new log agree on one mark. */
function newer(known: Mark | undefined, read: Mark): Mark {
  return known !== undefined && known.revision >= read.revision ? known : read;
}

/** Read the topic again to see whether this mark or another mark of the same revision counts. Throws Unavailable. */
export async function appendMark(
  connection: KafkaConnection,
  topic: string,
  mark: Mark,
): Promise<void> {
  const value = encodeMark(mark);
  const headers = connection.codes?.headersOf({ topic, partition: 0 }, { value });
  if (headers === undefined) throw new Error('cannot append a mark without the secret key');
  await createAppendMessages(connection)(topic, 0, [{ key: 'mark', value, headers }]);
}
