import { allOf, anyIn } from '../../../shared/db/sql/conditions.ts';
import { isLive, subscriptions } from '../../../shared/db/sql/following-column.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import { attendeesOf } from '../../../shared/domain/entity/model/attendees-of.ts';
import { type Reader, viewerTable } from '../../../shared/search/record-view.ts';
import { quoteText } from '../rows/quote-text.ts';

/** Per type, the limit of followed records that the user created, newest first. Integrations create millions. */
const MAX_CREATED = 1_000;

/**
 * Returns SQL for the live records of a type, as `t`, that a user follows and whose stream the viewer may see. Users follow
 * records by subscription, or as creator, assigned user or attendee unless they unfollowed. `userId` is SQL, too. The
 * statement has to begin with `viewerOf`.
 */
export function followedRows(
  { model, view }: Pick<Reader, 'model' | 'view'>,
  userId: string,
): string {
  const table = liveTable(model.name);
  const { ids: attendees } = attendeesOf(model);
  const own = `${isLive} and s.user_id = ${userId} and s.entity_type = ${quoteText(model.name)}`;
  const ids = [
    `select s.entity_id from ${subscriptions} s where ${own} and s.is_followed`,
    `(select c.id from ${table} c where c.created_by_id = ${userId} and not c.deleted order by c.created_at desc limit ${MAX_CREATED})`,
    ...(model.attribute.has('assignedUserId')
      ? [`select a.id from ${table} a where a.assigned_user_id = ${userId} and not a.deleted`]
      : []),
    ...(attendees === undefined
      ? []
      : [
          `select p.id from ${table} p where ${anyIn(`p.${quotedColumn({ name: attendees })}`, `@> array[${userId}]`)} and not p.deleted`,
        ]),
  ];
  const declined = `select s.entity_id from ${subscriptions} s where ${own} and not s.is_followed`;
  // Joins row by row on the primary key: Postgres overestimates the number of ids, and would scan the whole table.
  return (
    `((${ids.join(' union ')}) except ${declined}) f (id)` +
    ` cross join lateral (select * from ${table} r where r.id = f.id offset 0) t` +
    ` where ${allOf('not t.deleted', view.stream(model, 't'))}`
  );
}

/** Returns the start of a statement over followed rows. Its parameters are the user's id and the ids of the user's teams. */
export function viewerOf(text: string): string {
  return `with ${viewerTable} ${text}`;
}
