import type { EntityModel } from '../entity/model/entity-model.ts';
import { Refusal } from '../errors.ts';
import { idOrIdsIn } from '../record/ids-in.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import type { Actor } from './actor.ts';

/** Ids of the teams of a user. */
export type TeamsOf = (userId: string) => readonly string[];

/**
 * Throws if the actor may not assign the record to the users and teams in `values`
 * (docs/reference/access.md#assignment). `values` are those of a creation, or what an update sets.
 */
export function requireAssignable(
  actor: Actor,
  { model, values, isCreation }: Assignment,
  teamsOf: TeamsOf,
): void {
  const level = actor.type === 'admin' ? 'all' : actor.permissions.assignment;
  if (level === 'all' || level === 'yes' || !isOwned(model)) return;
  const userIds = given(values, 'assignedUserId', 'assignedUsersIds');
  const teamIds = given(values, 'teamsIds');
  const isAllowedUser = (id: string) =>
    id === actor.id ||
    (level === 'team' && teamsOf(id).some((team) => actor.teamIds.includes(team)));
  const isUnassigned = isCreation && level === 'team' && userIds.length + teamIds.length === 0;
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
  readonly values: AttributeValues;
  readonly isCreation: boolean;
}

/**
 * Assigns a new record to its creator and the creator's default team, if the creator may not choose the assigned user
 * (docs/reference/access.md#assignment). Not for API users.
 */
export function defaultAssignment(
  actor: Actor,
  { model, values }: Pick<Assignment, 'model' | 'values'>,
  mayAssign: boolean,
): AttributeValues {
  if (actor.type !== 'regular') return {};
  if (actor.permissions.assignment !== 'no' && mayAssign) return {};
  const isTheirs = model.fields.has('assignedUser') && values['assignedUserId'] == null;
  return {
    ...(isTheirs ? { assignedUserId: actor.id, assignedUserName: actor.name } : {}),
    ...(model.fields.has('teams') ? withDefaultTeam(actor, values) : {}),
  };
}

function withDefaultTeam({ defaultTeamId }: Actor, values: AttributeValues): AttributeValues {
  const teamIds = given(values, 'teamsIds');
  if (defaultTeamId === undefined || teamIds.includes(defaultTeamId)) return {};
  return { teamsIds: [...teamIds, defaultTeamId] };
}

function isOwned({ fields }: EntityModel): boolean {
  return fields.has('assignedUser') || fields.has('assignedUsers') || fields.has('teams');
}

function given(values: AttributeValues, ...attributes: readonly string[]): readonly string[] {
  return attributes.flatMap((attribute) => idOrIdsIn(values[attribute]));
}
