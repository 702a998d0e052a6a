import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { endOffset, liveRead, readPartitions } from '../../../shared/kafka/read-partitions.ts';
import type { AddressedMessage } from '../../../shared/kafka/transactor.ts';

/** The last sequence number given to each webhook that numbers its events. */
export type WebhookSequences = ReadonlyMap<string, number>;

/**
 * Numbers stand in a compacted topic, written in the transaction of the batches that carry them: they have no gaps and
 * none is given twice, however often the queue changes hands. Read it after the predecessor is fenced.
 */
export async function loadSequences(
  connection: KafkaConnection,
  topic: string,
): Promise<WebhookSequences> {
  const sequences = new Map<string, number>();
  const end = await endOffset(connection, topic, 0);
  let offset = 0n;
  while (offset < end) {
    const [read] = await readPartitions(connection, [{ topic, partition: 0, offset }], liveRead);
    // Only control records are left.
    if (read === undefined) break;
    for (const { key, value } of read.messages) {
      if (key !== null && value !== null) sequences.set(key, Number(value.toString()));
    }
    offset = read.nextOffset;
  }
  return sequences;
}

export function toSequenceMessages(
  topic: string,
  sequences: WebhookSequences,
): readonly AddressedMessage[] {
  return [...sequences].map(([key, last]) => ({
    topic,
    partition: 0,
    key,
    value: Buffer.from(String(last)),
  }));
}
