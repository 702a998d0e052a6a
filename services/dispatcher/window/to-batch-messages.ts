import { partitionOf } from '../../../shared/events/partition-of.ts';
import type { SchemaVersions } from '../../../shared/events/schema-versions.ts';
import {
  encodeWebhookBatch,
  type WebhookBatch,
} from '../../../shared/events/webhook-batch-codec.ts';
import { traceHeaders } from '../../../shared/kafka/trace-header.ts';
import type { AddressedMessage } from '../../../shared/kafka/transactor.ts';

interface BatchTopic {
  readonly topic: string;
  readonly partitions: number;
  readonly write: SchemaVersions;
}

/** All batches of a webhook go to one partition, in their order. */
export function toBatchMessages(
  batches: readonly WebhookBatch[],
  { topic, partitions, write }: BatchTopic,
): readonly AddressedMessage[] {
  return batches.map((batch) => ({
    topic,
    partition: partitionOf(batch.webhookId, partitions),
    key: batch.webhookId,
    value: encodeWebhookBatch(batch, write),
    ...traceHeaders(batch.traceparent),
  }));
}
