import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { commandKey } from '../../../shared/domain/record/command-key.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { stepPrefix } from '../../../shared/domain/record/step-key.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import type { CommandContext } from '../context.ts';
import { FOLLOWED_DAYS, type MergePlan, mergeIdOf } from '../merge/merge-plan.ts';
import { finishMergeInto } from '../merge/merge-records.ts';
import type { Command } from '../owner/command.ts';
import { requireRestoring } from '../records/restore.ts';
import { type EventChange, findChanged, findEventChange } from '../undo/find-change.ts';
import { nothingToUndo } from '../undo/revert-command.ts';
import { changeNotFound, requireUndoing, type UndoableChange } from '../undo/undoable-change.ts';
import { hasEnded, massActionType, type PlannedMassAction, plannedIn } from './mass-action.ts';
import { revertAction } from './mass-action-kinds.ts';
import { maxRecordsOf } from './plan-mass-action.ts';

/**
 * Plans the undo of a change, with all of its records. Clients identify a change by the version of its record, or by
 * its mass action.
 */
export async function planUndo(
  command: Command & { readonly changeId: string },
  context: CommandContext,
): Promise<PlannedMassAction> {
  const { actor, changeId, deadline } = command;
  await context.untilCaughtUp(deadline);
  const [type = '', id = '', version] = changeId.split('/');
  const planned =
    version === undefined && type === massActionType
      ? await ofMassAction(id, context)
      : await ofEvent({ command, change: await findEventChange(context, readEvent(changeId)) });
  const { change, entityType } = planned;
  requireUndoing(actor, change, context.now());
  await planned.prepare?.(context);
  const maxRecords = maxRecordsOf(revertAction, context.config);
  const ids = await findChanged(context, change, maxRecords + 1);
  if (ids.length === 0) throw nothingToUndo();
  return { entityType, action: revertAction, data: { ...change }, ids, isByIds: false };
}

function readEvent(changeId: string) {
  const [entityType = '', recordId = '', version = '', ...rest] = changeId.split('/');
  if (rest.length > 0 || !/^[1-9]\d{0,8}$/.test(version)) throw changeNotFound(changeId);
  return { entityType, recordId, version: Number(version) };
}

interface PlannedUndo {
  readonly change: UndoableChange;
  /** The entity type of most of the records. */
  readonly entityType: string;
  /** Runs before the records are determined. */
  readonly prepare?: (context: CommandContext) => Promise<void>;
}

async function ofMassAction(id: string, context: CommandContext): Promise<PlannedUndo> {
  const changeId = `${massActionType}/${id}`;
  const state = await context.readMassAction(id);
  if (state === undefined) throw changeNotFound(changeId);
  const authorId = String(state.values['createdById']);
  const at = Date.parse(`${String(state.values['createdAt']).replace(' ', 'T')}Z`);
  const steps = [commandKey(authorId, stepPrefix('mass', id))];
  return {
    entityType: plannedIn(state).entityType,
    change: { changeId, authorId, at, steps, first: [] },
    async prepare() {
      if (hasEnded(state)) return;
      const message = 'The mass action is still running. Cancel it first.';
      throw new Refusal('conflict', 'undo.running', message);
    },
  };
}

/**
 * Plans the undo of one event. The undo of a merge restores its sources and the references to them. Like the merge, it
 * does not require permission to edit the referring records. The merge is ended first, because it would otherwise
 * delete the sources again.
 */
async function ofEvent({
  command,
  change: { change, model, merge, isDeletion },
}: {
  readonly command: Command;
  readonly change: EventChange;
}): Promise<PlannedUndo> {
  const entityType = model.name;
  const recordId = change.event?.recordId ?? '';
  if (isDeletion) {
    const deleted = { ...command, model, id: recordId };
    return { change, entityType, prepare: async (context) => endMerges(deleted, context) };
  }
  if (merge === undefined) return { change, entityType };
  return {
    change,
    entityType,
    async prepare(context) {
      const { actor, deadline } = command;
      const target = live(await context.readState(model, recordId), recordId);
      requireRecordAccess(actor, 'edit', { ...target, model });
      // The merge must not continue after the undo, but the process that carries it out may be slow or gone.
      if (isFollowed(target, merge, context.now())) await finishMergeInto(target, command, context);
      for (const id of merge.sourceIds) {
        await context.endMergesOf({ ...command, model, id, deadline });
      }
    },
  };
}

/** Ends the merges that deleted a record, because otherwise they would delete it again. */
async function endMerges(
  command: Command & { readonly id: string },
  context: CommandContext,
): Promise<void> {
  const { actor, model, id } = command;
  const state = await context.readState(model, id);
  if (state?.deleted !== true) return;
  requireRestoring(actor, { ...state, model });
  await context.endMergesOf(command);
}

const DAY_MS = 86_400_000;

/** Returns true if a merge into the target may still continue. */
function isFollowed(target: RecordState, { id }: MergePlan, now: number): boolean {
  const plannedAt = target.values['mergePlannedAt'];
  if (typeof plannedAt !== 'string' || mergeIdOf(target) !== id) return false;
  return plannedAt > formatDateTime(now - FOLLOWED_DAYS * DAY_MS);
}
