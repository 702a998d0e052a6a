import { UnreadableMessage } from '../domain/errors.ts';
import { decodeSingleObject, encodeSingleObject, loadSchema } from './single-object.ts';

const attemptOutcomes = ['delivered', 'retry', 'dead', 'dropped'] as const;

export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** What became of a batch by one attempt, or without one. */
export interface WebhookAttempt {
  readonly batchId: string;
  readonly webhookId: string;
  /** 1, 2 ...; 0 when no request was made. */
  readonly attempt: number;
  /** When the request began, in milliseconds since 1970. */
  readonly at: number;
  readonly outcome: AttemptOutcome;
  /** HTTP status, if one came. */
  readonly status: number | null;
  readonly reason: string | null;
  readonly durationMs: number;
  /** How many events the batch holds. */
  readonly events: number;
}

const webhookAttemptV1 = loadSchema('webhook-attempt.v1');
const known = new Map([[webhookAttemptV1.fingerprint, webhookAttemptV1]]);

export function encodeWebhookAttempt(attempt: WebhookAttempt): Buffer {
  const { status, reason } = attempt;
  return encodeSingleObject(webhookAttemptV1, {
    ...attempt,
    status: status === null ? null : { int: status },
    reason: reason === null ? null : { string: reason },
  });
}

/** Throws UnreadableMessage for bytes that are no attempt of any version ever written. */
export function decodeWebhookAttempt(bytes: Buffer | null): WebhookAttempt {
  const wire = decodeSingleObject(known, bytes).value as WireAttempt;
  return {
    batchId: wire.batchId,
    webhookId: wire.webhookId,
    attempt: wire.attempt,
    at: wire.at,
    outcome: toOutcome(wire.outcome),
    status: wire.status?.int ?? null,
    reason: wire.reason?.string ?? null,
    durationMs: wire.durationMs,
    events: wire.events,
  };
}

interface WireAttempt extends Omit<WebhookAttempt, 'outcome' | 'status' | 'reason'> {
  readonly outcome: string;
  readonly status: null | { readonly int: number };
  readonly reason: null | { readonly string: string };
}

function toOutcome(text: string): AttemptOutcome {
  const outcome = attemptOutcomes.find((known) => known === text);
  if (outcome === undefined) throw new UnreadableMessage(`unknown attempt outcome ${text}`);
  return outcome;
}
