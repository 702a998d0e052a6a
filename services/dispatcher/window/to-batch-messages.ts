import { partitionOf } from '../../../shared/events/partition-of.ts';
import {
  encodeWebhookBatch,
  type WebhookBatch,
} from '../../../shared/events/webhook-batch-codec.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { traceHeaders } from '../../../shared/kafka/trace-header.ts';
import type { AddressedMessage } from '../../../shared/kafka/transactor.ts';

/** Encodes batches. All batches of a webhook go to one partition, in order. */
export async function toBatchMessages(
  batches: readonly WebhookBatch[],
  topic: string,
  connection: KafkaConnection,
): Promise<readonly AddressedMessage[]> {
  const partitions = await connection.partitionsOf(topic);
  const write = connection.versions();
  return batches.map((batch) => ({
    topic,
    partition: partitionOf(batch.webhookId, partitions),
    key: batch.webhookId,
    value: encodeWebhookBatch(batch, write),
    ...traceHeaders(batch.traceparent),
  }));
}
