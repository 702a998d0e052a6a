import type { EntityModel } from '../entity/model/entity-model.ts';
import { idOrIdsIn } from '../record/ids-in.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import type { AccessLevel, Right } from './access-table.ts';
import { type Actor, accessDenied, accessLevel } from './actor.ts';

/** The attributes that determine a record's owners, teams and collaborators. */
interface OwnerAttributes {
  /** Contains the ids of the users who own the record: one id or a list. */
  readonly owner: string;
  /** Ids of teams, if records of the type belong to teams. */
  readonly teams: string | undefined;
  /** Ids of users who may read the record but not change it. */
  readonly readers: string | undefined;
}

/**
 * Records are owned by their assigned users, or by their creator if the type has no assignment. Users own their user
 * record.
 */
export function ownerAttributes({ definition, fields }: EntityModel): OwnerAttributes {
  const { owner, teams } = definition.ownedBy ?? {};
  // The teams of a post are its addressees.
  const hasTeams = fields.has('teams') && definition.isPost !== true;
  return {
    owner: owner ?? usualOwner(fields),
    teams: teams ?? (hasTeams ? 'teamsIds' : undefined),
    readers: fields.has('collaborators') ? 'collaboratorsIds' : undefined,
  };
}

function usualOwner(fields: EntityModel['fields']): string {
  if (fields.has('assignedUser')) return 'assignedUserId';
  return fields.has('assignedUsers') ? 'assignedUsersIds' : 'createdById';
}

/** The owners, teams and collaborators of a record, either now or when an event occurred. */
export interface RecordOwnership {
  readonly ownerIds: readonly string[];
  readonly teamIds: readonly string[];
  readonly readerIds: readonly string[];
}

export function ownershipOf(
  model: EntityModel,
  id: string,
  values: AttributeValues,
): RecordOwnership {
  const { owner, teams, readers } = ownerAttributes(model);
  const idsAt = (attribute: string | undefined) =>
    attribute === undefined ? [] : idOrIdsIn(attribute === 'id' ? id : values[attribute]);
  return { ownerIds: idsAt(owner), teamIds: idsAt(teams), readerIds: idsAt(readers) };
}

/** True if a level covers a record. */
export function reaches(
  level: AccessLevel,
  right: Right,
  { actor, ownership }: { readonly actor: Actor; readonly ownership: RecordOwnership },
): boolean {
  if (level === 'all' || level === 'yes') return true;
  if (level === 'no') return false;
  if (ownership.ownerIds.includes(actor.id)) return true;
  if (right === 'read' || right === 'stream') {
    if (ownership.readerIds.includes(actor.id)) return true;
  }
  return level === 'team' && ownership.teamIds.some((id) => actor.teamIds.includes(id));
}

/** Throws unless the actor has this right on this record. */
export function requireRecordAccess(
  actor: Actor,
  right: Right,
  record: { readonly model: EntityModel; readonly id: string; readonly values: AttributeValues },
): void {
  if (!hasRecordAccess(actor, right, record)) throw accessDenied(right);
}

export function hasRecordAccess(
  actor: Actor,
  right: Right,
  { model, id, values }: Parameters<typeof requireRecordAccess>[2],
): boolean {
  const level = accessLevel(actor, model.name, right);
  return reaches(level, right, { actor, ownership: ownershipOf(model, id, values) });
}
