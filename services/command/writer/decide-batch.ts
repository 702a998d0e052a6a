import { type RecordName, recordQuarantined } from '../../../shared/db/quarantine.ts';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import { evolve } from '../../../shared/domain/record/evolve.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import {
  type Access,
  type Change,
  changedBy,
  type RecordEvent,
} from '../../../shared/domain/record/record-event.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { encodeEvent } from '../../../shared/events/log-entry-codec.ts';
import type { SchemaVersions } from '../../../shared/events/schema-versions.ts';
import type { Message } from '../../../shared/kafka/append.ts';
import { traceHeaders } from '../../../shared/kafka/trace-header.ts';
import {
  type CommandMemory,
  type FoundCommand,
  identityOf,
  type KnownCommand,
} from './memory/command-memory.ts';
import { recordKey } from './memory/record-cache.ts';
import type { PartitionWriterDeps } from './partition-writer-deps.ts';
import { requireStorable } from './require-storable.ts';
import { mayBeRepeat, type Submission, type Waiting } from './submission.ts';

type Outcome =
  | { readonly kind: 'refused'; readonly basis: Basis; readonly error: unknown }
  | { readonly kind: 'unchanged'; readonly basis: Basis; readonly state: RecordState }
  | {
      readonly kind: 'repeated';
      readonly identity: string;
      readonly state: RecordState;
      readonly changed: readonly string[];
    }
  | {
      readonly kind: 'event';
      readonly key: string;
      readonly identity: string | undefined;
      readonly state: RecordState;
      readonly event: RecordEvent;
      /** Index of the message in the batch. */
      readonly index: number;
    };

/** The event on which an outcome without its own event is based: its offset, or its index in the same batch. */
interface Basis {
  readonly offset: bigint | undefined;
  readonly index: number | undefined;
}

/** Decided commands with their events and outcomes. */
export interface Batch {
  readonly token: string;
  readonly firstSequence: number;
  readonly messages: Message[];
  readonly decided: { readonly waiting: Waiting; readonly outcome: Outcome }[];
  /** Offset of the first event; undefined until the log has the batch. */
  acceptedAt: bigint | undefined;
}

/** Topics accept messages of up to 8 MiB. The limit leaves room for other events in the same batch. */
const MAX_EVENT_BYTES = 4 * 1024 * 1024;

interface BatchContext extends PartitionWriterDeps {
  readonly token: string;
  /** Sequence number of the last event under this token. */
  readonly sequence: number;
}

/**
 * Decides waiting commands until the batch is full. Each command sees the states that result from earlier commands in
 * the batch, before these commands are in the log. Hands back commands whose record is not cached, and possible repeats
 * that have to be looked up in Postgres.
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
    if (context.now() >= waiting.submission.deadline) continue;
    const decided = decideWaiting(context, waiting, batch);
    if (decided === undefined) {
      loadFirst(waiting);
      continue;
    }
    batch.decided.push({ waiting, outcome: decided.outcome });
    if (decided.message !== undefined) {
      batch.messages.push(decided.message);
      bytes += decided.message.value.length;
    }
  }
  return batch;
}

interface Decided {
  readonly outcome: Outcome;
  readonly message?: Message;
}

/** Returns undefined if the command must be loaded first. */
function decideWaiting(context: BatchContext, waiting: Waiting, batch: Batch): Decided | undefined {
  const { submission } = waiting;
  const key = recordKey(submission.entityType, submission.recordId);
  if (submission.isOfQuarantine !== true && context.quarantine.mayHold(nameOf(submission))) {
    return undefined;
  }
  const known = context.cache.peek(key);
  const before = findPreviousOutcome(context.commands, waiting);
  if (before === 'unknown' || (known === undefined && submission.isCreation !== true))
    return undefined;
  if (before !== undefined) {
    return { outcome: repeated(context, submission, before, basisOf(context, batch, key)) };
  }
  return decideOne(context, { waiting, key, state: known?.state }, batch);
}

function nameOf({ entityType, recordId: id }: Submission): RecordName {
  return { entityType, id };
}

/** Returns the earlier outcome of a repeated command, or `unknown` if Postgres has to be queried first. */
function findPreviousOutcome(
  commands: CommandMemory,
  { submission, unknownBelow }: Waiting,
): KnownState | 'unknown' | undefined {
  const identity = identityOf(submission);
  if (identity === undefined) return undefined;
  const known = commands.peek(identity);
  if (known !== undefined) {
    return known.state === undefined ? 'unknown' : { ...known, identity, state: known.state };
  }
  if (!mayBeRepeat(submission)) return undefined;
  return unknownBelow !== undefined && commands.covers(unknownBelow) ? undefined : 'unknown';
}

interface KnownState extends FoundCommand {
  readonly identity: string;
}

function repeated(
  { quarantine }: BatchContext,
  submission: Submission,
  { identity, state, changed, hash }: KnownState,
  basis: Basis,
): Outcome {
  if (quarantine.mayHold(state)) return { kind: 'refused', basis, error: recordQuarantined(state) };
  return hash === submission.commandHash
    ? { kind: 'repeated', identity, state, changed }
    : { kind: 'refused', basis, error: keyReused() };
}

function basisOf({ cache }: BatchContext, batch: Batch, key: string): Basis {
  const last = batch.decided.findLast(
    ({ outcome }) => outcome.kind === 'event' && outcome.key === key,
  )?.outcome;
  const index = last?.kind === 'event' ? last.index : undefined;
  return { offset: cache.lastOffset(key), index };
}

/** Returns the refusal for an Idempotency-Key that was already used for another request. */
export function keyReused(): Refusal {
  return new Refusal(
    'unprocessable',
    'idempotency_key.reused',
    'This Idempotency-Key was used for another request.',
  );
}

function decideOne(
  context: BatchContext,
  { waiting, key, state }: { waiting: Waiting; key: string; state: RecordState | undefined },
  batch: Batch,
): Decided {
  const { submission, traceparent } = waiting;
  try {
    const { token } = context;
    const now = context.now();
    submission.requireRights?.();
    const decision = submission.decide(state, { token, now });
    if (decision === undefined) {
      const basis = basisOf(context, batch, key);
      return { outcome: { kind: 'unchanged', basis, state: live(state, submission.recordId) } };
    }
    // Checked last: repeats and commands without effect succeed even if the disk is full.
    context.requireRoom(submission.entityType);
    const index = batch.messages.length;
    const { actorId, administratorId } = submission;
    if (administratorId !== undefined) requireNameable(context.versions());
    const event: RecordEvent = {
      eventId: context.newEventId(),
      entityType: submission.entityType,
      recordId: submission.recordId,
      version: (state?.version ?? 0) + 1,
      type: decision.type,
      occurredAt: now,
      actorId,
      ...(administratorId !== undefined && { administratorId }),
      commandId: submission.commandId,
      commandHash: submission.commandHash,
      correlationId: submission.correlationId,
      access: accessAfter(state, decision.changes, actorId),
      changes: decision.changes,
    };
    const next = evolve(state, event, decision.values);
    const model = context.findModel(submission.entityType);
    if (model !== undefined) requireStorable(model, event.changes, next.values);
    const sequence = batch.firstSequence + index;
    const value = encodeEvent({ ...event, token, sequence }, context.versions());
    if (value.length > MAX_EVENT_BYTES) {
      throw new Refusal('too_large', 'change.too_large', 'The change is too large for one event.');
    }
    context.cache.expect(key, next);
    const identity = identityOf(submission);
    if (identity !== undefined) context.commands.put(identity, toKnown(next, event));
    return {
      outcome: { kind: 'event', key, identity, state: next, event, index },
      message: { key: submission.recordId, value, ...traceHeaders(traceparent) },
    };
  } catch (error) {
    return { outcome: { kind: 'refused', basis: basisOf(context, batch, key), error } };
  }
}

/** The first version of record events that names the administrator who acts as another user. */
const NAMES_ADMINISTRATORS = 3;

/**
 * Throws Unavailable while events cannot contain the administrator, instead of attributing the change to the user
 * alone.
 */
function requireNameable(versions: SchemaVersions): void {
  if (versions['record-event'] >= NAMES_ADMINISTRATORS) return;
  throw new Unavailable('the log cannot yet record the administrator who acts as another user', {
    remedy: 'start all services in this version, or send the request without X-Another-User',
  });
}

function toKnown(state: RecordState, event: RecordEvent): KnownCommand {
  return { hash: event.commandHash, state, changed: changedBy(event), offset: undefined };
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
    teamIds: idsIn(teamIds),
  };
}
