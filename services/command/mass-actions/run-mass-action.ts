/**
 * Carries out a mass action that was decided.
 *
 *   leased ──each record──▶ changed, or refused and skipped ──all──▶ ended, with counts
 *     │  ▲         │                                                  ▲
 *     │  │         └── cancelled, or its user lost the permission ────┘
 *     │  └── renewed every five seconds
 *     └── lost: no further record is started; the next holder of the lease continues
 *
 * The user's permissions are read again before each record. The deadlines of commands are within the lease, so that no
 * command takes effect while another runner may hold the lease, or after the end. After a take-over, the new runner
 * also counts the records that its predecessor changed, according to the log.
 */

import type { Actor } from '../../../shared/domain/access/actor.ts';
import { requireActingUser } from '../../../shared/domain/directory/acting-user.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { forEachParallel } from '../../../shared/runtime/limit-concurrency.ts';
import type { BaseContext } from '../context.ts';
import { bySystem, type CommandAnswer } from '../owner/command.ts';
import { Interrupted, Lease, LeaseLost } from './lease.ts';
import {
  type FinalStatus,
  type MassActionStep,
  massActionKey,
  massActionModel,
  type PlannedMassAction,
  plannedIn,
  skippedIn,
} from './mass-action.ts';
import { massActionCommand } from './mass-action-commands.ts';
import { type RecordStep, recordStep } from './mass-action-kinds.ts';

export interface RunContext extends BaseContext {
  /** Runs a task within the limit that all mass actions of this process share. */
  readonly inTurn: <Result>(task: () => Promise<Result>) => Promise<Result>;
  /** Aborts when the process stops. */
  readonly signal: AbortSignal;
}

/** A mass action and its runner. `state` is the mass action's record. */
export interface Run {
  readonly state: RecordState;
  readonly runner: string;
  /** True if another runner may have started the mass action. */
  readonly isTakenOver: boolean;
}

/** Maximum number of records that one mass action changes concurrently. */
const PARALLEL_RECORDS = 32;
const DONE_PER_QUESTION = 1_000;
/** The reason for records that an undo changed only in part, because some fields have changed since. */
const PARTLY = 'undo.partly';

/** Runs a mass action. Resolves with its record, which is not in its final state if the lease was lost. */
export async function runMassAction(run: Run, context: RunContext): Promise<RecordState> {
  const { state, runner, isTakenOver } = run;
  const planned = plannedIn(state);
  const changed = new Set<string>();
  const refused = new Map<string, string>();
  const partly = new Set<string>();
  const lease = new Lease(state, {
    ...context,
    runner,
    renew: async () =>
      takeStep(context, state.id, { kind: 'renew', runner, processedCount: changed.size }),
    look: async () => context.readMassAction(state.id),
  });
  const end = async (final: FinalStatus) => {
    const skippedIds = planned.ids.filter((id) => !changed.has(id));
    const skipped = skippedIn([
      ...[...refused].filter(([id]) => !changed.has(id)),
      ...[...partly].map((id) => [id, PARTLY] as const),
    ]);
    const outcome = { ...final, processedCount: changed.size, skippedIds, skipped };
    return lease.persist(async () =>
      takeStep(context, state.id, { kind: 'end', runner, ...outcome }),
    );
  };
  const named = { massActionId: state.id, userId: String(state.values['createdById']) };
  const progress = {
    ...context,
    ...planned,
    ...named,
    isTakenOver,
    lease,
    changed,
    refused,
    partly,
  };
  try {
    return await end(await changeUntilEnd(progress));
  } catch (error) {
    if (error instanceof LeaseLost) return state;
    // A second failure is ignored, because the first one is thrown.
    await end({ status: 'Failed' }).catch(() => undefined);
    throw error;
  } finally {
    await lease.close();
  }
}

/** Applies a step to the record of a mass action, and resolves with the result. */
export async function takeStep(
  { directory, sender, now, timeoutMs }: BaseContext,
  id: string,
  body: MassActionStep,
): Promise<RecordState> {
  const { state } = await sender.send(massActionCommand, {
    ...bySystem,
    model: massActionModel(directory),
    id,
    body,
    deadline: now() + timeoutMs,
    untilReadable: true,
  });
  return state;
}

/** The decision, its user, and the progress of the run. */
interface Progress extends RunContext, PlannedMassAction {
  readonly isTakenOver: boolean;
  readonly massActionId: string;
  readonly userId: string;
  readonly lease: Lease;
  /** Ids of the records that were changed. */
  readonly changed: Set<string>;
  /** Error codes by id. Attempts with an unknown outcome may have succeeded. */
  readonly refused: Map<string, string>;
  /** Ids of records that were changed with a warning. */
  readonly partly: Set<string>;
}

/** The parts of the run that are needed to change one record, with current definitions and permissions. */
interface Work {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly step: RecordStep;
}

async function changeUntilEnd(progress: Progress): Promise<FinalStatus> {
  try {
    await changeRecords(progress);
    return { status: 'Success' };
  } catch (error) {
    if (error instanceof Interrupted) return error.final;
    throw error;
  }
}

async function changeRecords(progress: Progress): Promise<void> {
  const { isTakenOver, ids, lease, changed } = progress;
  if (isTakenOver) await lease.persist(async (until) => countDone(until, progress));
  // Permissions are read from Postgres, which must therefore have all earlier writes.
  else if (workNow(progress).step.requireAllowed !== undefined) {
    await lease.persist(progress.untilCaughtUp);
  }
  const left = ids.filter((id) => !changed.has(id));
  const first = new Set(workNow(progress).step.firstIds?.(progress.data));
  for (const some of [left.filter((id) => first.has(id)), left.filter((id) => !first.has(id))]) {
    await forEachParallel(some, PARALLEL_RECORDS, async (id) => changeRecord(id, progress));
  }
}

/** Returns the current actor and model. Throws if the mass action was cancelled or its user may no longer run it. */
function workNow(progress: Progress): Work {
  const { directory, lease, userId, entityType, action, data, isByIds } = progress;
  lease.requireWanted();
  const model = directory.entity(entityType);
  const step = recordStep(action);
  // The custom entity type was removed, or a newer version defines the action.
  if (model === undefined) throw new Interrupted({ status: 'Failed', reason: 'entity.unknown' });
  if (step === undefined) throw new Interrupted({ status: 'Failed', reason: 'action.unknown' });
  try {
    const actor = requireActingUser(directory, userId);
    step.requireRights({ actor, model, data, isSearch: !isByIds });
    return { actor, model, step };
  } catch (error) {
    if (error instanceof Refusal) throw new Interrupted({ status: 'Stopped', reason: error.code });
    throw error;
  }
}

/** Counts records that a predecessor changed, even if the user has since lost the permission. */
async function countDone(until: number, progress: Progress): Promise<void> {
  const { massActionId, userId, ids, changed, findDone, untilCaughtUp } = progress;
  const keyOf = (id: string) => massActionKey(massActionId, id);
  await untilCaughtUp(until);
  for (let start = 0; start < ids.length; start += DONE_PER_QUESTION) {
    const some = ids.slice(start, start + DONE_PER_QUESTION);
    const done = await findDone(userId, some.map(keyOf));
    for (const id of some) if (done.has(keyOf(id))) changed.add(id);
  }
}

/** Changes one record. Missing and rejected records are not counted. */
async function changeRecord(id: string, progress: Progress): Promise<void> {
  const { massActionId, userId } = progress;
  const { lease, inTurn, untilCaughtUp, findDone, changed, refused, partly } = progress;
  const commandId = massActionKey(massActionId, id);
  let attempts = 0;
  try {
    const { warnings = [] } = await lease.persist(async () =>
      inTurn(async () => {
        const work = workNow(progress);
        attempts += 1;
        return sendChange({ ...work, id, commandId }, progress);
      }),
    );
    changed.add(id);
    if (warnings.length > 0) partly.add(id);
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof Interrupted)) throw error;
    // An attempt with an unknown outcome may have succeeded.
    const isInDoubt = attempts > (error instanceof Interrupted ? 0 : 1);
    const isDone = async (until: number) => {
      await untilCaughtUp(until);
      return (await findDone(userId, [commandId])).has(commandId);
    };
    if (isInDoubt && (await lease.persist(isDone))) changed.add(id);
    if (error instanceof Interrupted) throw error;
    // The user may have been deactivated while the command waited. If so, the action ends instead of skipping the
    // record.
    workNow(progress);
    refused.set(id, error.code);
  }
}

async function sendChange(
  { actor, model, step, id, commandId }: Work & { readonly id: string; readonly commandId: string },
  { data, directory, lease, sender, readRecord, now, timeoutMs }: Progress,
): Promise<CommandAnswer> {
  if (step.requireAllowed !== undefined) {
    step.requireAllowed(actor, model, live(await readRecord(model, id), id));
  }
  const { command, ...target } = step.toCommand(data, { actor, model, id }, directory.entity);
  return sender.send(command, {
    actor,
    model,
    id,
    ...target,
    // If fields were silently ignored, a record could count as changed although it was not.
    conditions: { refusesClosed: true },
    commandId,
    commandHash: commandId,
    deadline: Math.min(now() + timeoutMs, lease.requireHeld()),
    untilReadable: true,
  });
}
