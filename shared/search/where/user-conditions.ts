import { allOf, anyIn } from '../../db/sql/conditions.ts';
import { isLive, subscriptions } from '../../db/sql/following-column.ts';
import { liveTable, quotedColumn } from '../../db/tables/read-model-names.ts';
import { mayReadLink } from '../../domain/access/may-read-link.ts';
import { attendeesOf } from '../../domain/entity/model/attendees-of.ts';
import { findLink, idsOfItem } from './link-conditions.ts';
import type { WhereContext } from './where-context.ts';
import { unknownAttribute, type WhereItem } from './where-item.ts';

export const userConditionTypes: readonly string[] = ['isUserFromTeams', 'isOfType'];

/**
 * Returns SQL for records whose link (`assignedUser`) refers to a user of one of these teams. Includes only users and
 * teams that the actor sees in lists of a team's users. Returns undefined for other types of conditions.
 */
export function teamUserCondition(item: WhereItem, context: WhereContext): string | undefined {
  if (item.type !== 'isUserFromTeams') return undefined;
  const name = item.attribute ?? '';
  const link = findLink(name, context);
  const [users, teams] = [context.findModel('User'), context.findModel('Team')];
  const isOfUsers = context.model.fields.get(name)?.entityType === 'User';
  if (link === undefined || !isOfUsers || users === undefined || teams === undefined) {
    throw unknownAttribute(name);
  }
  const { actor, binder, findModel } = context;
  const [ofUsers, ofTeams] = [context.viewOf(users), context.viewOf(teams)];
  if (!mayReadLink(actor, { model: teams, link: 'users' }, findModel)) throw unknownAttribute(name);
  const ids = `${binder.bind(idsOfItem(item))}::text[]`;
  const inTeam = allOf(
    `team.id = any(${ids})`,
    'not team.deleted',
    ofTeams.rows(teams, 'team'),
    anyIn(`member.${quotedColumn({ name: 'teamsIds' })}`, '@> array[team.id]'),
  );
  const conditions = allOf(
    'not member.deleted',
    ofUsers.rows(users, 'member'),
    ofUsers.listed('member'),
    `exists (select 1 from ${liveTable('Team')} team where ${inTeam})`,
  );
  const members = `select member.id from ${liveTable('User')} member where ${conditions}`;
  return link.isMany
    ? anyIn(link.column, `&& array(${members})`)
    : `${link.column} in (${members})`;
}

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
