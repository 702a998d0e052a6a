import type { Entity } from '../../../api/metadata.ts';
import type { Condition } from '../../../api/records.ts';

/** The signed-in user in conditions of an address or a view, which other users can open, too. */
export const currentUser = 'me';

/** Replaces the signed-in user in conditions on links to users. */
export function withCurrentUser(
  conditions: readonly Condition[],
  entity: Entity,
  userId: string,
): readonly Condition[] {
  return conditions.map((condition) => {
    const { type, attribute, value } = condition;
    if (!Array.isArray(value)) return condition;
    if (type === 'and' || type === 'or') {
      return { ...condition, value: [...withCurrentUser(value, entity, userId)] };
    }
    if (entity.links[attribute ?? '']?.entity !== 'User') return condition;
    return { ...condition, value: value.map((id) => (id === currentUser ? userId : id)) };
  });
}
