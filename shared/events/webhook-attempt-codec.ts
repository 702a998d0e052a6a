import { UnknownToThisVersion } from '../domain/errors.ts';
import { baselineVersions, type SchemaVersions } from './schema-versions.ts';
import { decodeSingleObject, encodeSingleObject } from './single-object.ts';
import { quote, requireText, requireTime, type WireText, wrapText } from './wire-values.ts';

export const attemptOutcomes = ['delivered', 'retry', 'dead', 'dropped'] as const;

export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** The reason for a dead letter that an operator dropped. The batch had ended before. */
export const droppedByOperator = 'dropped by an operator';

/** The outcome of an attempt, or the end of a batch without an attempt. */
export interface WebhookAttempt {
  readonly batchId: string;
  readonly webhookId: string;
  /** 1, 2 …; 0 if no request was made. */
  readonly attempt: number;
  /** The start of the request, in milliseconds since 1970. */
  readonly at: number;
  readonly outcome: AttemptOutcome;
  /** HTTP status; null if no response arrived. */
  readonly status: number | null;
  readonly reason: string | null;
  readonly durationMs: number;
  /** The number of events in the batch. */
  readonly events: number;
  /** Missing if no request was made, and in version 1. */
  readonly exchange?: WebhookExchange;
}

/** The request and the response. Headers are name, value, name, value …, with secrets replaced. */
export interface WebhookExchange {
  readonly url: string;
  readonly requestHeaders: readonly string[];
  readonly responseHeaders: readonly string[];
  /** The first 16 KiB of the body. */
  readonly responseBody: Buffer;
  /** Time until the request could be written: waiting for a connection, name lookup, TCP and TLS. */
  readonly connectMs: number | null;
  /** Time from the same start until the response status arrived. */
  readonly firstByteMs: number | null;
  /** The receiver's address, if known. */
  readonly address: string | null;
}

export function encodeWebhookAttempt(
  attempt: WebhookAttempt,
  write: SchemaVersions = baselineVersions,
): Buffer {
  const { status, reason, exchange } = attempt;
  const wire = {
    ...attempt,
    exchange: exchange === undefined ? null : { 'annals.WebhookExchange': toWire(exchange) },
    status: status === null ? null : { int: status },
    reason: wrapText(reason),
  };
  return encodeSingleObject('webhook-attempt', wire, write);
}

/** Throws UnreadableMessage for bytes that are not an attempt in any version. */
export function decodeWebhookAttempt(bytes: Buffer | null): WebhookAttempt {
  const wire = decodeSingleObject(bytes, 'webhook-attempt').value as WireAttempt;
  return {
    batchId: requireText(wire.batchId, 'batchId'),
    webhookId: requireText(wire.webhookId, 'webhookId'),
    attempt: wire.attempt,
    at: requireTime(wire.at, 'at'),
    outcome: toOutcome(wire.outcome),
    status: wire.status?.int ?? null,
    reason: wire.reason?.string ?? null,
    durationMs: wire.durationMs,
    events: wire.events,
    ...(wire.exchange ? { exchange: fromWire(wire.exchange['annals.WebhookExchange']) } : {}),
  };
}

type WireInt = null | { readonly int: number };

interface WireExchange extends Omit<WebhookExchange, 'connectMs' | 'firstByteMs' | 'address'> {
  readonly connectMs: WireInt;
  readonly firstByteMs: WireInt;
  readonly address: WireText;
}

function toWire({ connectMs, firstByteMs, address, ...others }: WebhookExchange): WireExchange {
  return {
    ...others,
    connectMs: connectMs === null ? null : { int: connectMs },
    firstByteMs: firstByteMs === null ? null : { int: firstByteMs },
    address: wrapText(address),
  };
}

function fromWire({ connectMs, firstByteMs, address, ...others }: WireExchange): WebhookExchange {
  return {
    ...others,
    connectMs: connectMs?.int ?? null,
    firstByteMs: firstByteMs?.int ?? null,
    address: address?.string ?? null,
  };
}

/** Version 1 has no exchange. */
interface WireAttempt extends Omit<WebhookAttempt, 'outcome' | 'status' | 'reason' | 'exchange'> {
  readonly exchange?: null | { readonly 'annals.WebhookExchange': WireExchange };
  readonly outcome: string;
  readonly status: WireInt;
  readonly reason: WireText;
}

function toOutcome(text: string): AttemptOutcome {
  const outcome = attemptOutcomes.find((known) => known === text);
  if (outcome === undefined) {
    throw new UnknownToThisVersion(
      `unknown attempt outcome ${quote(requireText(text, 'outcome'))}`,
    );
  }
  return outcome;
}
