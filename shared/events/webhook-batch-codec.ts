import { UnknownToThisVersion, UnreadableMessage } from '../domain/errors.ts';
import type { Access } from '../domain/record/record-event.ts';
import type { AttributeValue } from '../domain/value/attribute-values.ts';
import type { PayloadEvent } from '../domain/webhook/format/payload-format.ts';
import {
  defaultFormat,
  findPayloadFormat,
  type PayloadFormatName,
} from '../domain/webhook/format/payload-formats.ts';
import { type SchemaVersions, untoldVersions } from './schema-versions.ts';
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

/** One change of a record in the form that the webhook's receiver gets. */
export interface WebhookEvent extends PayloadEvent {
  readonly recordId: string;
  readonly access: Access;
}

/** Events of one webhook that are sent in one request. The id stays the same on every attempt. */
export interface WebhookBatch {
  readonly batchId: string;
  readonly webhookId: string;
  readonly event: string;
  /** Milliseconds since 1970, like all times here. */
  readonly enqueuedAt: number;
  readonly attemptsMade: number;
  /** No attempt is made earlier. */
  readonly dueAt: number;
  /** Attempts that do not count, because the receiver asked for a pause. Missing: none. */
  readonly sparedAttempts?: number;
  /** The end of the pause that the receiver asked for. */
  readonly notBefore?: number;
  /**
   * Missing means the default. Fixed with the batch, so that a retry has the same bytes even if the webhook has changed.
   */
  readonly payloadFormat?: PayloadFormatName;
  /** The replay that enqueued it. */
  readonly replayId?: string;
  readonly events: readonly WebhookEvent[];
  /** The trace of the change that opened the batch. It stands in the header of the message, not in its bytes. */
  readonly traceparent?: string;
}

/** The ids of test batches begin with this. They have no event of the log. */
export const testBatchPrefix = 'test_';

export function isTestBatch({ batchId }: Pick<WebhookBatch, 'batchId'>): boolean {
  return batchId.startsWith(testBatchPrefix);
}

/** The batch with its id and bytes, and its attempts reset: for redelivery. */
export function toFreshBatch(batch: WebhookBatch, now: number): WebhookBatch {
  return { ...batch, attemptsMade: 0, sparedAttempts: 0, notBefore: 0, dueAt: now };
}

export function encodeWebhookBatch(
  batch: WebhookBatch,
  write: SchemaVersions = untoldVersions,
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
 * Throws UnreadableMessage for bytes that are no batch of any version. Payloads are not parsed: that would take as long
 * as the rest of a delivery, and most are sent unchanged.
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

/** A format of a later version must not be sent in another one: for such a batch it is as for one of an unknown schema. */
function readFormat(name: string = defaultFormat.name): Pick<WebhookBatch, 'payloadFormat'> {
  const format = findPayloadFormat(name);
  if (format === undefined)
    throw new UnknownToThisVersion('the payloadFormat is none that this version knows');
  return toFormat(format.name);
}

/** The part of a batch that names its format. */
export function toFormat(name: PayloadFormatName): Pick<WebhookBatch, 'payloadFormat'> {
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

/** Parses `data` or `previous` of an event. Throws UnreadableMessage, as for a batch that cannot be read. */
export function readPayload(text: string): Record<string, AttributeValue> {
  return parseJsonObject(text, 'the payload of an event') as Record<string, AttributeValue>;
}
