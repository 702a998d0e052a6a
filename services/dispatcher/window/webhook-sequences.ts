import { UnreadableMessage } from '../../../shared/domain/errors.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { readCompacted } from '../../../shared/kafka/read-compacted.ts';
import type { AddressedMessage } from '../../../shared/kafka/transactor.ts';

/** The last sequence number of each webhook that numbers its events. */
export type WebhookSequences = ReadonlyMap<string, number>;

/**
 * Numbers stand in a compacted topic, written in the transaction of the batches that carry them: they have no gaps and
 * none is given twice, however often the queue changes hands. Read it after the predecessor is fenced.
 */
export async function loadSequences(
  connection: KafkaConnection,
  topic: string,
): Promise<WebhookSequences> {
  return readCompacted(connection, topic, decodeSequence);
}

function decodeSequence(bytes: Buffer | null): number {
  const text = String(bytes ?? '');
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UnreadableMessage('a last sequence number is none');
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
