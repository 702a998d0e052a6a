import { idsIn } from '../record/ids-in.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import type { Actor } from './actor.ts';

/** Whether a post without a parent is addressed to the actor. `addressedCondition` states the same rule in SQL. */
export function isAddressed(
  { id, teamIds }: Pick<Actor, 'id' | 'teamIds'>,
  { parentId, targetType, usersIds, teamsIds }: AttributeValues,
): boolean {
  if (typeof parentId === 'string') return false;
  return (
    targetType === 'all' ||
    idsIn(usersIds).includes(id) ||
    idsIn(teamsIds).some((team) => teamIds.includes(team))
  );
}

/** Whether the actor may read a post without a parent. */
export function mayReadAddressed(actor: Actor, values: AttributeValues): boolean {
  return actor.type === 'admin' || values['createdById'] === actor.id || isAddressed(actor, values);
}
