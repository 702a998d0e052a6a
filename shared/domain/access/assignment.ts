import { attendeesOf } from '../entity/model/attendees-of.ts';
import type { EntityModel } from '../entity/model/entity-model.ts';
import { type FieldProblem, Refusal } from '../errors.ts';
import { idOrIdsIn } from '../record/ids-in.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import type { Actor } from './actor.ts';
import { ownerAttributes } from './record-access.ts';

/** Returns the ids of a user's teams. */
export type TeamsOf = (userId: string) => readonly string[];

/**
 * Throws if the actor may not assign the record to the users and teams that `values` add
 * (docs/reference/access.md#assignment). The refusal names every field with such a user or team.
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
  const isAllowedUser = (id: string) =>
    id === actor.id ||
    (level === 'team' && teamsOf(id).some((team) => actor.teamIds.includes(team)));
  const isAllowedTeam = (id: string) => actor.teamIds.includes(id);
  const owners = ['assignedUserId', 'assignedUsersIds'];
  const fieldOf = (attribute: string) => model.attribute.get(attribute)?.field ?? attribute;
  const userText = level === 'team' ? teammatesText : selfText;
  const problems = [
    ...[...owners, ...participantAttributes(model)]
      .filter((attribute) => !added(attribute).every(isAllowedUser))
      .map((attribute) => problemOf(fieldOf(attribute), userText)),
    ...(added('teamsIds').every(isAllowedTeam) ? [] : [problemOf('teams', teamText)]),
  ];
  const isUnassigned = [...owners, 'teamsIds'].every((attribute) => added(attribute).length === 0);
  if (current === undefined && level === 'team' && isUnassigned) {
    const field = ['assignedUser', 'assignedUsers', 'teams'].find((name) => model.fields.has(name));
    if (field !== undefined) problems.push(problemOf(field, unassignedText));
  }
  if (problems.length === 0) return;
  throw new Refusal(
    'forbidden',
    'assignment.denied',
    'Assignment failure: assigned user or team not allowed.',
    { errors: problems },
  );
}

const selfText = 'You can only assign this to yourself.';
const teammatesText = 'You can only assign this to yourself and to members of your teams.';
const teamText = 'You can only choose teams that you belong to.';
const unassignedText = 'Assign this to a user or to one of your teams.';

function problemOf(field: string, message: string): FieldProblem {
  return { field, type: 'assignment', message };
}

export interface Assignment {
  readonly model: EntityModel;
  /** All values for a creation; the changed values for an update. */
  readonly values: AttributeValues;
  /** The values before an update; undefined for a creation. */
  readonly current: AttributeValues | undefined;
}

/** Returns the attributes with users who are involved in a record without owning it: collaborators and attendees. */
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
