import { anyIn } from '../../db/sql/any-in.ts';
import { isLive, subscriptions } from '../../db/sql/following-column.ts';
import { quotedColumn } from '../../db/tables/read-model-names.ts';
import { attendeesOf } from '../../domain/entity/model/attendees-of.ts';
import type { WhereContext } from './where-context.ts';
import type { WhereItem } from './where-item.ts';

/** Returns SQL for the records that the actor follows or starred; undefined for other conditions. */
export function markCondition(item: WhereItem, context: WhereContext): string | undefined {
  if (context.model.definition.hasStream !== true || item.attribute !== 'id') return undefined;
  if (item.type !== 'isFollowed' && item.type !== 'isStarred') return undefined;
  const { actor, alias, binder, model, view } = context;
  const me = `${binder.bind(actor.id)}::text`;
  const of = `${isLive} and s.user_id = ${me} and s.entity_type = ${binder.bind(model.name)}::text`;
  const marked = (condition: string) =>
    `${alias}.id in (select s.entity_id from ${subscriptions} s where ${of} and ${condition})`;
  if (item.type === 'isStarred') return marked('s.is_starred');
  const owners = ['createdById', 'assignedUserId'].filter((name) => model.attribute.has(name));
  const { ids } = attendeesOf(model);
  const followsByDefault = [
    ...owners.map((name) => `${alias}.${quotedColumn({ name })} = ${me}`),
    ...(ids === undefined
      ? []
      : [anyIn(`${alias}.${quotedColumn({ name: ids })}`, `@> array[${me}]`)]),
  ].join(' or ');
  const followed = `(${marked('s.is_followed')} or ((${followsByDefault}) and not ${marked('not s.is_followed')}))`;
  const open = view.stream(model, alias);
  return open === undefined ? followed : `(${followed} and ${open})`;
}
