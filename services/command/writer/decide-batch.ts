import { Refusal } from '../../../shared/domain/errors.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import { evolve } from '../../../shared/domain/record/evolve.ts';
import type { Access, Change, RecordEvent } from '../../../shared/domain/record/record-event.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { encodeEvent } from '../../../shared/events/log-entry-codec.ts';
import type { Message } from '../../../shared/kafka/append.ts';
import { type RecordCache, recordKey } from './record-cache.ts';
import type { Submission, Waiting } from './submission.ts';

type Outcome =
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'unchanged'; readonly key: string; readonly state: RecordState }
  | {
      readonly kind: 'event';
      readonly key: string;
      readonly state: RecordState;
      readonly event: RecordEvent;
      /** Which message of the batch. */
      readonly index: number;
    };

/** Commands decided one after the other, the events they made, and who waits for which outcome. */
export interface Batch {
  readonly token: string;
  readonly firstSequence: number;
  readonly messages: Message[];
  readonly decided: { readonly waiting: Waiting; readonly outcome: Outcome }[];
  /** Offset of the first event once the log has the batch. */
  acceptedAt: bigint | undefined;
}

/** Topics take messages of 8 MiB; a batch may hold others beside its largest event. */
const MAX_EVENT_BYTES = 4 * 1024 * 1024;

/** A batch is closed at either limit; one event may go beyond the second. */
export interface BatchLimits {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

interface BatchContext {
  readonly cache: RecordCache;
  readonly token: string;
  /** Of the last event under this token. */
  readonly sequence: number;
  readonly now: () => number;
  readonly newEventId: () => string;
  readonly limits: BatchLimits;
}

/**
 * Decides waiting commands until the batch is full. Each sees the state that those before it left, though none of it
 * stands in the log yet. A command whose record is not in the cache any more is handed back to be loaded.
 */
export function decideBatch(
  context: BatchContext,
  take: () => Waiting | undefined,
  loadFirst: (waiting: Waiting) => void,
): Batch {
  const batch: Batch = {
    token: context.token,
    firstSequence: context.sequence + 1,
    messages: [],
    decided: [],
    acceptedAt: undefined,
  };
  let bytes = 0;
  while (batch.messages.length < context.limits.maxEvents && bytes < context.limits.maxBytes) {
    const waiting = take();
    if (waiting === undefined) break;
    const { submission } = waiting;
    if (context.now() >= submission.deadline) continue;
    const key = recordKey(submission.entityType, submission.recordId);
    const known = context.cache.peek(key);
    if (known === undefined && !submission.isCreation) {
      loadFirst(waiting);
      continue;
    }
    const decided = decideOne(context, { submission, key, state: known?.state }, batch);
    batch.decided.push({ waiting, outcome: decided.outcome });
    if (decided.message !== undefined) {
      batch.messages.push(decided.message);
      bytes += decided.message.value.length;
    }
  }
  return batch;
}

function decideOne(
  context: BatchContext,
  {
    submission,
    key,
    state,
  }: { submission: Submission; key: string; state: RecordState | undefined },
  batch: Batch,
): { readonly outcome: Outcome; readonly message?: Message } {
  try {
    const decision = submission.decide(state, { token: context.token });
    if (decision === undefined) {
      return { outcome: { kind: 'unchanged', key, state: live(state) } };
    }
    const index = batch.messages.length;
    const { actorId } = submission;
    const event: RecordEvent = {
      eventId: context.newEventId(),
      entityType: submission.entityType,
      recordId: submission.recordId,
      version: (state?.version ?? 0) + 1,
      type: decision.type,
      occurredAt: context.now(),
      actorId,
      commandId: submission.commandId,
      commandHash: submission.commandHash,
      correlationId: submission.correlationId,
      access: accessAfter(state, decision.changes, actorId),
      changes: decision.changes,
    };
    const sequence = batch.firstSequence + index;
    const value = encodeEvent({ ...event, token: context.token, sequence });
    if (value.length > MAX_EVENT_BYTES) {
      throw new Refusal('too_large', 'change.too_large', 'The change is too large for one event.');
    }
    const next = evolve(state, event);
    context.cache.expect(key, next);
    return {
      outcome: { kind: 'event', key, state: next, event, index },
      message: { key: submission.recordId, value },
    };
  } catch (error) {
    return { outcome: { kind: 'refused', error } };
  }
}

function accessAfter(
  state: RecordState | undefined,
  changes: readonly Change[],
  actorId: string,
): Access {
  const value = (attribute: string) => {
    const change = changes.find((candidate) => candidate.attribute === attribute);
    return change === undefined ? (state?.values[attribute] ?? null) : change.after;
  };
  const assignedUserId = value('assignedUserId');
  const createdById = state === undefined ? actorId : state.values['createdById'];
  const teamIds = value('teamsIds');
  return {
    assignedUserId: typeof assignedUserId === 'string' ? assignedUserId : null,
    createdById: typeof createdById === 'string' ? createdById : null,
    teamIds: Array.isArray(teamIds) ? teamIds.map(String) : [],
  };
}
