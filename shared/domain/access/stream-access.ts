import type { EntityModel } from '../entity/model/entity-model.ts';
import { Refusal } from '../errors.ts';
import { idsIn } from '../record/ids-in.ts';
import type { RecordState } from '../record/record-state.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { type Actor, requireScope } from './actor.ts';
import { hasRecordAccess, requireRecordAccess } from './record-access.ts';

/** Throws if the entity type has no stream or the actor may not see the stream of any of its records. */
export function requireStreamScope(actor: Actor, { name, definition }: EntityModel): void {
  if (definition.hasStream !== true) {
    throw new Refusal('not_found', 'stream.none', `${name} has no stream.`);
  }
  requireScope(actor, name, 'read');
  requireScope(actor, name, 'stream');
}

/** Throws unless the actor may see the stream of this record, which requires read access to it. */
export function requireStreamAccess(actor: Actor, model: EntityModel, record: RecordState): void {
  const { id, values } = record;
  requireRecordAccess(actor, 'read', { model, id, values });
  requireRecordAccess(actor, 'stream', { model, id, values });
}

/** True if the actor may see the stream of this record. */
export function seesStream(actor: Actor, model: EntityModel, record: RecordState): boolean {
  return (['read', 'stream'] as const).every((right) =>
    hasRecordAccess(actor, right, { model, ...record }),
  );
}

/** True if a post without a parent is addressed to the actor. `addressedCondition` states the same rule in SQL. */
export function isAddressed(
  { id, teamIds }: Actor,
  { parentId, targetType, usersIds, teamsIds }: AttributeValues,
): boolean {
  if (typeof parentId === 'string') return false;
  return (
    targetType === 'all' ||
    idsIn(usersIds).includes(id) ||
    idsIn(teamsIds).some((team) => teamIds.includes(team))
  );
}

/** True if the actor may read a post without a parent. */
export function mayReadAddressed(actor: Actor, values: AttributeValues): boolean {
  return actor.type === 'admin' || values['createdById'] === actor.id || isAddressed(actor, values);
}
