import { type Actor, isTeammate } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { type FieldProblem, Refusal, validationFailure } from '../../../shared/domain/errors.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';

/** The readers of a post without a parent, in addition to its author and administrators. */
interface Address {
  readonly targetType: string;
  readonly userIds: readonly string[];
  readonly teamIds: readonly string[];
}

/**
 * Rejects addressees of a new post that contradict each other, do not exist, or that the author may not address
 * (docs/reference/stream.md#posts-to-users-and-teams). Does nothing for posts without addressees.
 */
export function requireAddressees(
  actor: Actor,
  values: AttributeValues,
  directory: Directory,
): void {
  const address = {
    targetType: String(values['targetType'] ?? ''),
    userIds: idsIn(values['usersIds']),
    teamIds: idsIn(values['teamsIds']),
  };
  const hasParent = (values['parentType'] ?? values['parentId'] ?? null) !== null;
  const [first, ...others] = [
    ...findContradictions(address, hasParent),
    ...findUnknown(address, directory),
  ];
  if (first !== undefined) throw validationFailure('Note', [first, ...others]);
  if (address.targetType === '' || mayAddress(actor, address, directory)) return;
  const message = 'Your roles do not let you address these users or teams (messagePermission).';
  throw new Refusal('forbidden', 'note.denied', message);
}

function findContradictions(
  { targetType, userIds, teamIds }: Address,
  hasParent: boolean,
): readonly FieldProblem[] {
  if (targetType === 'portals') {
    return [invalid('targetType', 'targetType must not be portals: Annals has no portals.')];
  }
  if (targetType !== '' && hasParent) {
    return [invalid('targetType', 'targetType must be empty for a post on a record.')];
  }
  return [
    ...findMismatch('users', userIds, targetType),
    ...findMismatch('teams', teamIds, targetType),
  ];
}

/** Finds a list of addressees without its target type, or a target type without its list. */
function findMismatch(
  field: 'users' | 'teams',
  ids: readonly string[],
  targetType: string,
): readonly FieldProblem[] {
  if (targetType === field) {
    const message = `${field}Ids is required with targetType ${field}.`;
    return ids.length > 0 ? [] : [{ field, type: 'required', message }];
  }
  if (ids.length === 0) return [];
  return [invalid(field, `${field}Ids must be empty unless targetType is ${field}.`)];
}

function findUnknown(
  { userIds, teamIds }: Address,
  { record }: Directory,
): readonly FieldProblem[] {
  const isUnknown = (entityType: string, id: string) => record(entityType, id)?.deleted !== false;
  return [
    ...userIds
      .filter((id) => isUnknown('User', id))
      .map((id) => invalid('users', `usersIds names a user that does not exist: ${id}.`)),
    ...teamIds
      .filter((id) => isUnknown('Team', id))
      .map((id) => invalid('teams', `teamsIds names a team that does not exist: ${id}.`)),
  ];
}

function invalid(field: string, message: string): FieldProblem {
  return { field, type: 'valid', message };
}

/** Authors may always address themselves. The level of `messagePermission` determines which others they may address. */
function mayAddress(
  actor: Actor,
  { targetType, userIds, teamIds }: Address,
  { record, actor: actorOf }: Directory,
): boolean {
  const level = actor.permissions.message;
  if (targetType === 'self' || level === 'all' || level === 'yes') return true;
  const isTeam = level === 'team';
  if (targetType === 'teams') return isTeam && teamIds.every((id) => actor.teamIds.includes(id));
  if (targetType !== 'users') return false;
  return userIds.every((id) => {
    const user = record('User', id);
    const isReached = isTeam && user !== undefined && isTeammate(actor, actorOf(user));
    return id === actor.id || isReached;
  });
}
