import { UnknownToThisVersion } from '../domain/errors.ts';
import type { Change, RecordEventType } from '../domain/record/record-event.ts';
import type { AttributeValue } from '../domain/value/attribute-values.ts';
import type { Fence, LogEntry, LoggedEvent } from './log-entry.ts';
import { baselineVersions, type SchemaVersions } from './schema-versions.ts';
import { decodeSingleObject, encodeSingleObject } from './single-object.ts';
import {
  parseJson,
  quote,
  requireJsonText,
  requireText,
  requireTime,
  unwrapAccess,
  type WireAccess,
  type WireText,
  wrapAccess,
  wrapText,
} from './wire-values.ts';

/**
 * Like the functions below, encodes in the version that all readers support; see
 * shared/kafka/group/agree-on-versions.ts.
 */
export function encodeFence(fence: Fence, write: SchemaVersions = baselineVersions): Buffer {
  return encodeSingleObject('fence', { ...fence, prevToken: wrapText(fence.prevToken) }, write);
}

/**
 * Throws UnreadableMessage under the same conditions as decoding, because readers skip an unreadable entry and then all
 * later entries of the same writer, which are no longer in sequence.
 */
export function encodeEvent(event: LoggedEvent, write: SchemaVersions = baselineVersions): Buffer {
  const wire = {
    ...event,
    administratorId: wrapText(event.administratorId ?? null),
    commandId: wrapText(event.commandId),
    commandHash: wrapText(event.commandHash),
    correlationId: wrapText(event.correlationId),
    access: wrapAccess(event.access),
    changes: event.changes.map(({ attribute, before, after }) => ({
      attribute,
      before: wrapValue(before, attribute),
      after: wrapValue(after, attribute),
    })),
  };
  return encodeSingleObject('record-event', wire, versionsFor(event, write));
}

/**
 * Version 3 only adds the administrator, so events without one are written in a form that earlier versions can read.
 */
function versionsFor({ administratorId }: LoggedEvent, write: SchemaVersions): SchemaVersions {
  if (administratorId !== undefined || write['record-event'] !== 3) return write;
  return { ...write, 'record-event': 2 };
}

/** Throws UnreadableMessage for bytes that are not a fence or an event in any version. */
export function decodeLogEntry(bytes: Buffer | null): LogEntry {
  const { name, value } = decodeSingleObject(bytes, 'record-event', 'fence');
  return name === 'fence'
    ? { kind: 'fence', fence: toFence(value as WireFence) }
    : { kind: 'event', event: toEvent(value as WireEvent) };
}

type WireValue =
  | null
  | { readonly boolean: boolean }
  | { readonly long: number }
  | { readonly double: number }
  | { readonly string: string }
  | { readonly 'annals.Json': { readonly text: string } };

interface WireFence extends Omit<Fence, 'prevToken'> {
  readonly prevToken: WireText;
}

interface WireEvent
  extends Omit<
    LoggedEvent,
    'administratorId' | 'commandId' | 'commandHash' | 'correlationId' | 'access' | 'changes'
  > {
  /** Missing in versions 1 and 2. */
  readonly administratorId?: WireText;
  readonly commandId: WireText;
  /** Missing in version 1. */
  readonly commandHash?: WireText;
  readonly correlationId: WireText;
  readonly access: WireAccess;
  readonly changes: readonly {
    readonly attribute: string;
    readonly before: WireValue;
    readonly after: WireValue;
  }[];
}

function toFence(wire: WireFence): Fence {
  return {
    ...wire,
    token: requireText(wire.token, 'token'),
    prevToken: wire.prevToken?.string ?? null,
  };
}

function toEvent(wire: WireEvent): LoggedEvent {
  const administratorId = unwrapText(wire.administratorId, 'administratorId');
  return {
    eventId: requireText(wire.eventId, 'eventId'),
    entityType: requireText(wire.entityType, 'entityType'),
    recordId: requireText(wire.recordId, 'recordId'),
    version: wire.version,
    type: toEventType(wire.type),
    occurredAt: requireTime(wire.occurredAt, 'occurredAt'),
    actorId: requireText(wire.actorId, 'actorId'),
    ...(administratorId !== null && { administratorId }),
    commandId: unwrapText(wire.commandId, 'commandId'),
    commandHash: unwrapText(wire.commandHash, 'commandHash'),
    correlationId: unwrapText(wire.correlationId, 'correlationId'),
    token: wire.token,
    sequence: wire.sequence,
    access: unwrapAccess(wire.access),
    changes: wire.changes.map(toChange),
  };
}

function toEventType(type: string): RecordEventType {
  if (type === 'Created' || type === 'Updated' || type === 'Deleted') return type;
  throw new UnknownToThisVersion(`unknown event type ${quote(requireText(type, 'type'))}`);
}

function toChange({ attribute, before, after }: WireEvent['changes'][number]): Change {
  return {
    attribute: requireText(attribute, 'attribute'),
    before: unwrapValue(before, attribute),
    after: unwrapValue(after, attribute),
  };
}

function unwrapText(wire: WireText | undefined, what: string): string | null {
  return wire ? requireText(wire.string, what) : null;
}

function wrapValue(value: AttributeValue, attribute: string): WireValue {
  switch (typeof value) {
    case 'string':
      return { string: requireValueText(value, attribute) };
    case 'boolean':
      return { boolean: value };
    case 'number':
      return isAvroLong(value) ? { long: value } : { double: value };
    default:
      return value === null
        ? null
        : { 'annals.Json': { text: requireValueJson(JSON.stringify(value), attribute) } };
  }
}

/** avsc accepts integers below 2^53 - 1, one less than JavaScript's safe integers. */
function isAvroLong(value: number): boolean {
  return Number.isSafeInteger(value) && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

function unwrapValue(wire: WireValue, attribute: string): AttributeValue {
  if (wire === null) return null;
  if ('string' in wire) return requireValueText(wire.string, attribute);
  if ('boolean' in wire) return wire.boolean;
  if ('long' in wire) return wire.long;
  if ('double' in wire) return wire.double;
  const text = requireValueJson(wire['annals.Json'].text, attribute);
  return parseJson(text, nameOfValue(attribute)) as AttributeValue;
}

// Checks the text before building the description, because building it for every value would cost more than the check.
function requireValueText(text: string, attribute: string): string {
  return text.includes('\0') ? requireText(text, nameOfValue(attribute)) : text;
}

/** Only control characters and unpaired surrogates are escaped as `\u`, and almost no text contains any. */
function requireValueJson(text: string, attribute: string): string {
  return text.includes('\\u') ? requireJsonText(text, nameOfValue(attribute)) : text;
}

function nameOfValue(attribute: string): string {
  return `the value of ${quote(attribute)}`;
}
