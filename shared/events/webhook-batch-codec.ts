import { UnknownToThisVersion, UnreadableMessage } from '../domain/errors.ts';
import type { Access } from '../domain/record/record-event.ts';
import type { AttributeValue } from '../domain/value/attribute-values.ts';
import type { PayloadEvent } from '../domain/webhook/format/payload-format.ts';
import {
  defaultFormat,
  findPayloadFormat,
  type PayloadFormatName,
} from '../domain/webhook/format/payload-formats.ts';
import { baselineVersions, type SchemaVersions } from './schema-versions.ts';
import { decodeSingleObject, encodeSingleObject } from './single-object.ts';
import {
  parseJsonObject,
  requireText,
  requireTime,
  unwrapAccess,
  type WireAccess,
  type WireText,
  wrapAccess,
} from './wire-values.ts';

interface ChosenFormat {
  /** Absent means the default. Stored with the batch, so that retries send the same bytes even if the webhook changes. */
  readonly payloadFormat?: PayloadFormatName;
}

/** One change to a record, in the form sent to the webhook's receiver. */
export interface WebhookEvent extends PayloadEvent {
  readonly recordId: string;
  readonly access: Access;
}

/** Events of one webhook that are sent in one request. The id is the same for every attempt. */
export interface WebhookBatch extends ChosenFormat {
  readonly batchId: string;
  readonly webhookId: string;
  readonly event: string;
  /** Milliseconds since 1970, like all times here. */
  readonly enqueuedAt: number;
  readonly attemptsMade: number;
  /** No attempt is made before this time. */
  readonly dueAt: number;
  /** Attempts that do not count because the receiver requested a pause. Absent means none. */
  readonly sparedAttempts?: number;
  /** The end of the pause requested by the receiver. */
  readonly notBefore?: number;
  /** The replay that enqueued this batch. */
  readonly replayId?: string;
  readonly events: readonly WebhookEvent[];
  /** The trace of the change that opened the batch. Sent in a message header, not in the message bytes. */
  readonly traceparent?: string;
}

/** The prefix of ids of test batches, which do not contain events from the log. */
export const testBatchPrefix = 'test_';

export function isTestBatch({ batchId }: WebhookBatch): boolean {
  return batchId.startsWith(testBatchPrefix);
}

/** Returns the batch for redelivery, with the same id and bytes and no attempts. */
export function toFreshBatch(batch: WebhookBatch, now: number): WebhookBatch {
  return { ...batch, attemptsMade: 0, sparedAttempts: 0, notBefore: 0, dueAt: now };
}

export function encodeWebhookBatch(
  batch: WebhookBatch,
  write: SchemaVersions = baselineVersions,
): Buffer {
  const wire = {
    ...batch,
    sparedAttempts: batch.sparedAttempts ?? 0,
    notBefore: batch.notBefore ?? 0,
    payloadFormat: batch.payloadFormat ?? defaultFormat.name,
    replayId: batch.replayId === undefined ? null : { string: batch.replayId },
    events: batch.events.map((event) => ({
      ...event,
      access: wrapAccess(event.access),
      sequence: event.sequence === undefined ? null : { long: event.sequence },
    })),
  };
  return encodeSingleObject('webhook-batch', wire, write);
}

/**
 * Throws UnreadableMessage for bytes that are not a batch in any version. Does not parse payloads: that would take as
 * long as the rest of a delivery, and most payloads are sent unchanged.
 */
export function decodeWebhookBatch(bytes: Buffer | null): WebhookBatch {
  const batch = decodeSingleObject(bytes, 'webhook-batch').value as WireBatch;
  if (batch.events.length === 0) throw new UnreadableMessage('webhook batch without events');
  return {
    batchId: requireText(batch.batchId, 'batchId'),
    webhookId: requireText(batch.webhookId, 'webhookId'),
    event: batch.event,
    enqueuedAt: requireTime(batch.enqueuedAt, 'enqueuedAt'),
    attemptsMade: batch.attemptsMade,
    dueAt: batch.dueAt,
    ...(batch.sparedAttempts ? { sparedAttempts: batch.sparedAttempts } : {}),
    ...(batch.notBefore ? { notBefore: batch.notBefore } : {}),
    ...readFormat(batch.payloadFormat),
    ...(batch.replayId ? { replayId: requireText(batch.replayId.string, 'replayId') } : {}),
    events: batch.events.map(toEvent),
  };
}

/** Properties that version 1 lacks are undefined. */
interface WireEvent extends Omit<WebhookEvent, 'access' | 'sequence'> {
  readonly access: WireAccess;
  readonly sequence?: null | { readonly long: number };
}

interface WireBatch
  extends Omit<WebhookBatch, 'events' | 'payloadFormat' | 'replayId' | 'traceparent'> {
  readonly payloadFormat?: string;
  readonly replayId?: WireText;
  readonly events: readonly WireEvent[];
}

/** Throws for a format from a later version, as for an unknown schema: the batch must not be sent in another format. */
function readFormat(name: string = defaultFormat.name): ChosenFormat {
  const format = findPayloadFormat(name);
  if (format === undefined) throw new UnknownToThisVersion('unknown payloadFormat');
  return toFormat(format.name);
}

/** Returns the batch property with its format. */
export function toFormat(name: PayloadFormatName): ChosenFormat {
  return name === defaultFormat.name ? {} : { payloadFormat: name };
}

function toEvent(wire: WireEvent): WebhookEvent {
  return {
    eventId: wire.eventId,
    recordId: wire.recordId,
    version: wire.version,
    occurredAt: requireTime(wire.occurredAt, 'occurredAt'),
    actorId: wire.actorId,
    access: unwrapAccess(wire.access),
    ...(wire.sequence ? { sequence: wire.sequence.long } : {}),
    data: wire.data,
    previous: wire.previous,
  };
}

/**
 * Parses the `data` or `previous` of an event. Throws UnreadableMessage if it is invalid, as for an unreadable batch.
 */
export function readPayload(text: string): Record<string, AttributeValue> {
  return parseJsonObject(text, 'the payload of an event') as Record<string, AttributeValue>;
}
