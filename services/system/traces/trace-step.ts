import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import type { FailedRequest } from './failed-requests.ts';
import type { AttemptRow, BatchRow } from './read-deliveries.ts';
import type { HistoryRow } from './read-events.ts';
import type { RequestSignIn } from './read-sign-ins.ts';

/** The maximum number of attributes that a step names. */
const MAX_CHANGED = 20;

/** What happened at one time, without values of records. */
export type TraceStep = ReturnType<
  | typeof toAttemptStep
  | typeof toBatchStep
  | typeof toEventStep
  | typeof toFailureStep
  | typeof toSignInStep
>;

export function toEventStep({ event, requestId }: HistoryRow, directory: Directory) {
  const { entityType, recordId: id, version, type, actorId, administratorId, changes } = event;
  return {
    kind: 'event' as const,
    at: new Date(event.occurredAt).toISOString(),
    entityType,
    id,
    name: nameIn(event) ?? nameOf(directory, entityType, id),
    version,
    type: type.toLowerCase(),
    byId: actorId,
    byName: nameOf(directory, 'User', actorId),
    ...(administratorId !== undefined && {
      administratorId,
      administratorName: nameOf(directory, 'User', administratorId),
    }),
    changed: changes.slice(0, MAX_CHANGED).map(({ attribute }) => attribute),
    changedCount: changes.length,
    requestId,
  };
}

export function toBatchStep({ batch, eventCount }: BatchRow, directory: Directory) {
  const { batchId, webhookId, event, enqueuedAt, replayId } = batch;
  return {
    kind: 'batch' as const,
    at: new Date(enqueuedAt).toISOString(),
    batchId,
    ...webhookIn(directory, webhookId),
    event,
    events: eventCount,
    replayId: replayId ?? null,
  };
}

export function toAttemptStep({ atMs, ...attempt }: AttemptRow, directory: Directory) {
  const { batchId, webhookId, number, outcome, status, reason, durationMs } = attempt;
  return {
    kind: 'attempt' as const,
    at: new Date(atMs).toISOString(),
    batchId,
    ...webhookIn(directory, webhookId),
    number,
    outcome,
    status,
    reason,
    durationMs,
  };
}

export function toSignInStep({ atMs, ...signIn }: RequestSignIn) {
  const { userName, userId, method, address, reason } = signIn;
  return {
    kind: 'signIn' as const,
    at: new Date(atMs).toISOString(),
    userName,
    byId: userId,
    method,
    address,
    reason,
  };
}

export function toFailureStep({ method, path, status, reason, atMs }: FailedRequest) {
  return {
    kind: 'failure' as const,
    at: new Date(atMs).toISOString(),
    method,
    path,
    status,
    reason,
  };
}

/** Sorts steps of the same time by cause and consequence. */
const ranks = { signIn: 0, event: 1, failure: 2, batch: 3, attempt: 4 } as const;

export function inOrder(one: TraceStep, other: TraceStep): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  return ranks[one.kind] - ranks[other.kind];
}

/** Returns the webhook's id, and its URL; null if it is deleted. */
function webhookIn(directory: Directory, webhookId: string) {
  const webhook = directory.records('Webhook').find(({ id }) => id === webhookId);
  return { webhookId, url: webhook === undefined ? null : String(webhook.values['url']) };
}

/** Returns the name that an event gives its record. */
function nameIn({ changes }: LoggedEvent): string | null {
  const name = changes.find(({ attribute }) => attribute === 'name')?.after;
  return typeof name === 'string' ? name : null;
}

/** Returns null for records outside the directory. */
function nameOf(directory: Directory, entityType: string, id: string): string | null {
  const values = directory.record(entityType, id)?.values;
  const name = values?.['name'] ?? values?.['event'];
  return typeof name === 'string' ? name : null;
}
