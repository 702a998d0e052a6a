import { attendeesOf } from '../entity/model/attendees-of.ts';
import type { EntityModel } from '../entity/model/entity-model.ts';
import { Refusal } from '../errors.ts';
import { idOrIdsIn } from '../record/ids-in.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import type { Actor } from './actor.ts';
import { ownerAttributes } from './record-access.ts';

/** Returns the ids of a user's teams. */
export type TeamsOf = (userId: string) => readonly string[];

/**
 * Throws if the actor may not assign the record to the users and teams that `values` add
 * (docs/reference/access.md#assignment).
 */
export function requireAssignable(
  actor: Actor,
  { model, values, current }: Assignment,
  teamsOf: TeamsOf,
): void {
  const level = actor.type === 'admin' ? 'all' : actor.permissions.assignment;
  if (level === 'all' || level === 'yes' || !isOwned(model)) return;
  const added = (attribute: string) => {
    const before = idOrIdsIn(current?.[attribute]);
    return idOrIdsIn(values[attribute]).filter((id) => !before.includes(id));
  };
  const ownerIds = ['assignedUserId', 'assignedUsersIds'].flatMap(added);
  const teamIds = added('teamsIds');
  const userIds = [...ownerIds, ...participantAttributes(model).flatMap(added)];
  const isAllowedUser = (id: string) =>
    id === actor.id ||
    (level === 'team' && teamsOf(id).some((team) => actor.teamIds.includes(team)));
  const isUnassigned =
    current === undefined && level === 'team' && ownerIds.length + teamIds.length === 0;
  const isAllowed =
    userIds.every(isAllowedUser) && teamIds.every((id) => actor.teamIds.includes(id));
  if (isAllowed && !isUnassigned) return;
  throw new Refusal(
    'forbidden',
    'assignment.denied',
    'Assignment failure: assigned user or team not allowed.',
  );
}

export interface Assignment {
  readonly model: EntityModel;
  /** All values for a creation; the changed values for an update. */
  readonly values: AttributeValues;
  /** The values before an update; undefined for a creation. */
  readonly current: AttributeValues | undefined;
}

/** Returns the attributes of users who work with a record without owning it: collaborators and attendees. */
function participantAttributes(model: EntityModel): readonly string[] {
  const attributes = [ownerAttributes(model).readers, attendeesOf(model).ids];
  return attributes.filter((attribute) => attribute !== undefined);
}

/**
 * Assigns a new record to its creator and the creator's default team if the creator may not choose the assigned user
 * (docs/reference/access.md#assignment). Does not apply to API users.
 */
export function defaultAssignment(
  actor: Actor,
  { model, values }: Omit<Assignment, 'current'>,
  mayAssign: boolean,
): AttributeValues {
  if (actor.type !== 'regular') return {};
  if (actor.permissions.assignment !== 'no' && mayAssign) return {};
  const isTheirs = model.fields.has('assignedUser') && values['assignedUserId'] == null;
  const hasTeams = model.fields.has('teams') && model.definition.isPost !== true;
  return {
    ...(isTheirs ? { assignedUserId: actor.id, assignedUserName: actor.name } : {}),
    ...(hasTeams ? withDefaultTeam(actor, values) : {}),
  };
}

function withDefaultTeam({ defaultTeamId }: Actor, values: AttributeValues): AttributeValues {
  const teamIds = idOrIdsIn(values['teamsIds']);
  if (defaultTeamId === undefined || teamIds.includes(defaultTeamId)) return {};
  return { teamsIds: [...teamIds, defaultTeamId] };
}

function isOwned(model: EntityModel): boolean {
  const { fields, definition } = model;
  // A post is addressed to teams. `messagePermission` determines which teams the actor may address.
  if (definition.isPost === true) return false;
  const isAssigned = ['assignedUser', 'assignedUsers', 'teams'].some((field) => fields.has(field));
  return isAssigned || participantAttributes(model).length > 0;
}
