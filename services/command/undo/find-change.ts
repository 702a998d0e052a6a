import type { Pool } from 'pg';
import { orUnavailable } from '../../../shared/db/outage-of.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { commandKey } from '../../../shared/domain/record/command-key.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { stepPrefix } from '../../../shared/domain/record/step-key.ts';
import { asKnown } from '../../../shared/events/later-version.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import type { CommandContext } from '../context.ts';
import { type MergePlan, readMergePlan } from '../merge/merge-plan.ts';
import { requirePossibleId } from '../owner/append.ts';
import { systemActor } from '../owner/command.ts';
import {
  changeNotFound,
  isUndoable,
  toRecordName,
  type UndoableChange,
} from './undoable-change.ts';

const history = `${liveSchema}.record_history`;

/** A change that consists of one event, and the merge that the event decided. */
export interface EventChange {
  readonly change: UndoableChange;
  readonly model: EntityModel;
  readonly merge: MergePlan | undefined;
  readonly isDeletion: boolean;
}

/** Finds the change that created a version of a record. Rejects versions that do not exist. */
export async function findEventChange(
  { directory, pool }: CommandContext,
  event: { readonly entityType: string; readonly recordId: string; readonly version: number },
): Promise<EventChange> {
  const { entityType, recordId, version } = event;
  const model = directory.entity(entityType);
  if (model === undefined || !isUndoable(model)) throw notUndoable(entityType);
  requirePossibleId(recordId);
  const { rows } = await orUnavailable(
    pool.query<{ event: Buffer }>(
      `select event from ${history} where record_id = $1 and entity_type = $2 and version = $3`,
      [recordId, entityType, version],
    ),
  );
  const entry = rows[0] && asKnown(() => decodeLogEntry(rows[0]?.event ?? null));
  const changeId = `${entityType}/${recordId}/${version}`;
  if (entry?.kind !== 'event') throw changeNotFound(changeId);
  const { actorId: authorId, occurredAt: at } = entry.event;
  const merge = decidedMergeIn(entry.event);
  return {
    model,
    merge,
    isDeletion: entry.event.type === 'Deleted',
    change: {
      changeId,
      authorId,
      at,
      event,
      steps: merge === undefined ? [] : stepsOf(merge),
      first: merge?.sourceIds.map((id) => toRecordName(entityType, id)) ?? [],
    },
  };
}

/** Returns the merge that an event decided. The end of a merge changes its plan, too. */
function decidedMergeIn({ changes }: RecordEvent): MergePlan | undefined {
  const change = changes.find(({ attribute }) => attribute === 'mergePlan');
  const plan = readMergePlan(change?.after);
  return plan?.id === readMergePlan(change?.before)?.id ? undefined : plan;
}

/** If the merging user has been removed, the system carries out the remaining steps. */
function stepsOf({ id, actorId }: MergePlan): readonly string[] {
  return [actorId, systemActor.id].map((user) => commandKey(user, stepPrefix('merge', id)));
}

/**
 * Returns the records of a change, as `type/id`, starting with the records that must be undone first. Omits types that
 * do not support undo.
 */
export async function findChanged(
  { directory, pool }: { readonly directory: CommandContext['directory']; readonly pool: Pool },
  { event, steps, first }: UndoableChange,
  limit: number,
): Promise<readonly string[]> {
  const own = event === undefined ? [] : [toRecordName(event.entityType, event.recordId)];
  const found = new Set(own);
  for (const step of steps) {
    const { rows } = await orUnavailable(
      pool.query<{ entity_type: string; record_id: string }>(
        `select distinct entity_type, record_id from ${history} where command_id ^@ $1 limit $2`,
        [step, limit],
      ),
    );
    for (const { entity_type: type, record_id: id } of rows) {
      const model = directory.entity(type);
      if (model !== undefined && isUndoable(model)) found.add(toRecordName(type, id));
    }
  }
  return [...first.filter((name) => found.has(name)), ...found.difference(new Set(first))];
}

export function notUndoable(entityType: string): Refusal {
  const message = `Changes to ${printable(entityType)} records cannot be undone.`;
  return new Refusal('forbidden', 'undo.not_allowed', message);
}
