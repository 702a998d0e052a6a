import { attendeesOf } from '../../domain/entity/model/attendees-of.ts';
import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import { streamSubscriptionType } from '../../domain/stream/stream-subscription.ts';
import { liveTable, quotedColumn } from '../tables/read-model-names.ts';

export const subscriptions = liveTable(streamSubscriptionType);
/**
 * A condition over `s` that lets Postgres use the partial indexes. It is always true, because subscriptions are never
 * deleted.
 */
export const isLive = 'not s.deleted';

/**
 * Returns SQL for the FollowingFacts of a row in an entity's table, as JSON; null for rows that do not meet `isOpen`,
 * which is also SQL.
 */
export function followingColumn(
  model: EntityModel,
  alias: string,
  isOpen: string | undefined,
): string {
  const { name, attribute } = model;
  const own = `${isLive} and s.entity_id = ${alias}.id and s.entity_type = '${name.replaceAll("'", "''")}'`;
  const subscription = `jsonb_build_object('userId', s.user_id, 'isFollowed', s.is_followed, 'isStarred', s.is_starred)`;
  const all = `(select coalesce(jsonb_agg(${subscription} order by s.id), '[]') from ${subscriptions} s where ${own})`;
  const assigned = attribute.has('assignedUserId') ? `${alias}.assigned_user_id` : 'null';
  const { ids } = attendeesOf(model);
  const attendees =
    ids === undefined
      ? `'[]'::jsonb`
      : `coalesce(to_jsonb(${alias}.${quotedColumn({ name: ids })}), '[]')`;
  const facts = `jsonb_build_object('createdById', ${alias}.created_by_id, 'assignedUserId', ${assigned}, 'attendeeIds', ${attendees}, 'subscriptions', ${all})`;
  return isOpen === undefined ? facts : `(case when ${isOpen} then ${facts} end)`;
}
