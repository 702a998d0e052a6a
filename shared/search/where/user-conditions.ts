import { allOf } from '../../db/sql/all-of.ts';
import { anyIn } from '../../db/sql/any-in.ts';
import { liveTable, quotedColumn } from '../../db/tables/read-model-names.ts';
import { mayReadLink } from '../../domain/access/may-read-link.ts';
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
