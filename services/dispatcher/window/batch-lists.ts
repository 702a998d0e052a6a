import { v7 as uuidv7 } from 'uuid';
import type { Match } from '../../../shared/domain/match/match-event.ts';
import { payloadFormatOf } from '../../../shared/domain/webhook/format/payload-formats.ts';
import type { Webhook } from '../../../shared/domain/webhook/record/webhook.ts';
import { toWebhookEvent } from '../../../shared/events/build-webhook-body.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import {
  encodeWebhookBatch,
  toFormat,
  type WebhookBatch,
  type WebhookEvent,
} from '../../../shared/events/webhook-batch-codec.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { traceHeaders } from '../../../shared/kafka/trace-header.ts';
import type { AddressedMessage } from '../../../shared/kafka/transactor.ts';

interface OpenBatch {
  readonly webhook: Webhook;
  readonly events: WebhookEvent[];
  /** The trace of the change whose event opened the batch. */
  readonly traceparent: string | undefined;
  bytes: number;
}

/** A batch must fit into one Kafka message, with room for the envelope. */
const MAX_BATCH_BYTES = 700_000;

interface BatchListOptions {
  /** The limit in the operator's settings. A webhook may have a lower limit. */
  readonly batchSize: number;
  readonly now: number;
  /** The replay that enqueues the events, if there is one. */
  readonly replayId?: string;
}

/** Collects events into batches for each webhook, in the order in which they are added. */
export class BatchLists {
  readonly #options: BatchListOptions;
  readonly #toWebhookEvent = createToWebhookEvent();
  readonly #open = new Map<string, OpenBatch>();
  readonly #closed: OpenBatch[] = [];
  /** The size of all payloads so far. */
  bytes = 0;

  constructor(options: BatchListOptions) {
    this.#options = options;
  }

  /** Adds an event. `traceparent` identifies the trace of its change. */
  add(event: LoggedEvent, match: Match, traceparent: string | undefined): void {
    const { webhook } = match;
    const { batchSize } = this.#options;
    const payload = this.#toWebhookEvent(event, match);
    const bytes = payload.data.length + payload.previous.length;
    const limit = Math.min(batchSize, webhook.batchSize ?? batchSize);
    let batch = this.#open.get(webhook.id);
    if (
      batch !== undefined &&
      (batch.events.length >= limit || batch.bytes + bytes > MAX_BATCH_BYTES)
    ) {
      this.#closed.push(batch);
      batch = undefined;
    }
    batch ??= { webhook, events: [], traceparent, bytes: 0 };
    this.#open.set(webhook.id, batch);
    batch.events.push(payload);
    batch.bytes += bytes;
    this.bytes += bytes;
  }

  /** Returns all batches. Those of each webhook are in order. */
  close(): readonly WebhookBatch[] {
    return [...this.#closed, ...this.#open.values()].map((one) => toBatch(one, this.#options));
  }
}

function toBatch(
  { webhook, events, traceparent }: OpenBatch,
  { now, replayId }: BatchListOptions,
): WebhookBatch {
  const { id: webhookId, event, payloadFormat } = webhook;
  return {
    ...(traceparent === undefined ? {} : { traceparent }),
    batchId: uuidv7(),
    webhookId,
    event,
    enqueuedAt: now,
    attemptsMade: 0,
    dueAt: now,
    ...toFormat(payloadFormat),
    ...(replayId === undefined ? {} : { replayId }),
    events,
  };
}

/**
 * Serializes each payload once for all webhooks with the same event name. Only formats with an envelope need the old
 * values.
 */
function createToWebhookEvent() {
  let data: Match['data'] | undefined;
  let withoutOld: WebhookEvent | undefined;
  let withOld: WebhookEvent | undefined;

  return (event: LoggedEvent, match: Match): WebhookEvent => {
    if (data !== match.data) {
      withoutOld = undefined;
      withOld = undefined;
    }
    data = match.data;
    withoutOld ??= toWebhookEvent(event, match.data);
    if (!hasEnvelope(match.webhook)) return withoutOld;
    withOld ??= { ...withoutOld, previous: JSON.stringify(match.previous) };
    return withOld;
  };
}

function hasEnvelope({ payloadFormat }: Webhook): boolean {
  return payloadFormatOf(payloadFormat).hasEnvelope;
}

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
