import { v7 as uuidv7 } from 'uuid';
import { payloadFormatOf } from '../../../shared/domain/webhook/format/payload-formats.ts';
import type { Match } from '../../../shared/domain/match/match-event.ts';
import type { Webhook } from '../../../shared/domain/webhook/record/webhook.ts';
import { toWebhookEvent } from '../../../shared/events/build-webhook-body.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import {
  toFormat,
  type WebhookBatch,
  type WebhookEvent,
} from '../../../shared/events/webhook-batch-codec.ts';

/** Batches that are being filled, per webhook, in the order of the events. */
export interface BatchLists {
  /** Returns the size of all payloads so far. */
  bytes(): number;
  /** Adds an event with the `traceparent` of its change. */
  add(event: LoggedEvent, match: Match, traceparent: string | undefined): void;
  /** Returns all batches, in order for each webhook. */
  close(): readonly WebhookBatch[];
}

interface BatchListsDeps {
  /** The operator's setting. A webhook may have a smaller one. */
  readonly batchSize: number;
  readonly now: number;
  /** The replay that enqueues the events, if it is one. */
  readonly replayId?: string;
}

interface OpenBatch {
  readonly webhook: Webhook;
  readonly events: WebhookEvent[];
  /** The trace of the change that opened the batch. */
  readonly traceparent: string | undefined;
  bytes: number;
}

/** A batch has to fit into one Kafka message, with room for the envelope. */
const MAX_BATCH_BYTES = 700_000;

export function createBatchLists(deps: BatchListsDeps): BatchLists {
  const toWebhookEvent = createToWebhookEvent();
  const open = new Map<string, OpenBatch>();
  const closed: OpenBatch[] = [];
  let total = 0;

  return {
    bytes: () => total,
    add(event, match, traceparent) {
      const { webhook } = match;
      const payload = toWebhookEvent(event, match);
      const bytes = payload.data.length + payload.previous.length;
      const limit = Math.min(deps.batchSize, webhook.batchSize ?? deps.batchSize);
      let batch = open.get(webhook.id);
      if (
        batch !== undefined &&
        (batch.events.length >= limit || batch.bytes + bytes > MAX_BATCH_BYTES)
      ) {
        closed.push(batch);
        batch = undefined;
      }
      batch ??= { webhook, events: [], traceparent, bytes: 0 };
      open.set(webhook.id, batch);
      batch.events.push(payload);
      batch.bytes += bytes;
      total += bytes;
    },
    close: () => [...closed, ...open.values()].map((batch) => toBatch(batch, deps)),
  };
}

function toBatch(
  { webhook, events, traceparent }: OpenBatch,
  { now, replayId }: BatchListsDeps,
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
 * Serializes each payload once for all webhooks of one event name. Only formats with an envelope need the old values.
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
