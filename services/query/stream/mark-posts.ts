import { subscriptions } from '../../../shared/db/sql/following-column.ts';
import { liveTable } from '../../../shared/db/tables/read-model-names.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import type { PostMarks } from '../../../shared/domain/stream/post-marks.ts';
import {
  streamPinsId,
  streamPinsType,
  subscriptionId,
} from '../../../shared/domain/stream/stream-subscription.ts';
import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import { mapValues } from '../../../shared/domain/value/map-values.ts';
import { runStatement, textOrNull } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';
import type { ReadRecord } from '../records/read-record.ts';
import type { StreamedRecord } from './mention-source.ts';
import { noteTable, postColumns, toPost } from './post-items.ts';
import type { StreamItem } from './stream-item.ts';

const pinsTable = liveTable(streamPinsType);

const marksText = `
  select a.id, coalesce(a.id = any(p.note_ids), false) as pinned,
    (select jsonb_object_agg(c.type, c.users) from (
      select r.type, count(*)::int as users from ${subscriptions} s, unnest(s.reactions) r (type)
      where not s.deleted and s.entity_id = a.id and s.entity_type = 'Note' group by r.type) c) as counts,
    (select s.reactions from ${subscriptions} s where s.id = a.own_id) as mine
  from unnest($1::text[], $2::text[], $3::text[]) a (id, pins_id, own_id)
  left join ${pinsTable} p on p.id = a.pins_id`;

type Post = Pick<StreamItem, 'id' | 'parentType' | 'parentId'>;

/** Adds reactions and pins to the posts among the items, with one statement per page. */
export async function markPosts(
  context: QueryContext,
  actor: Actor,
  items: readonly StreamItem[],
): Promise<readonly StreamItem[]> {
  const posts = items.filter(({ type }) => type === 'Post');
  if (posts.length === 0) return items;
  const marks = await readMarks(context, actor, posts);
  return items.map((item) => ({ ...item, ...marks.get(item.id) }));
}

/** Adds reactions and pins to single reads of a post. */
export function createReadPost(context: QueryContext, readRecord: ReadRecord): ReadRecord {
  return async (query) => {
    const found = await readRecord(query);
    if (query.model.definition.isPost !== true) return found;
    const { id, parentType, parentId } = found.record;
    const post = {
      id: String(id),
      parentType: textOrNull(parentType),
      parentId: textOrNull(parentId),
    };
    const marks = await readMarks(context, query.actor, [post]);
    return { ...found, record: { ...found.record, ...marks.get(post.id) } };
  };
}

async function readMarks(
  { pool, prepare }: QueryContext,
  { id: userId }: Actor,
  posts: readonly Post[],
): Promise<ReadonlyMap<string, PostMarks>> {
  const rows = await runStatement(pool, prepare(marksText), [
    posts.map(({ id }) => id),
    posts.map(({ parentType, parentId }) =>
      parentType === null || parentId === null ? null : streamPinsId(parentType, parentId),
    ),
    posts.map(({ id }) => subscriptionId({ entityType: 'Note', recordId: id, userId })),
  ]);
  return new Map(
    rows.map(({ id, pinned, counts, mine }) => [
      String(id),
      {
        isPinned: pinned === true,
        reactionCounts: mapValues(toObject(counts), Number),
        myReactions: idsIn(mine),
      },
    ]),
  );
}

const pinnedText = `
  select ${postColumns}, $3::text as parent_name from ${pinsTable} p join ${noteTable} n on n.id = any(p.note_ids)
  where p.id = $1 and not n.deleted and n.parent_id = $2 order by n.id desc`;

/** Returns the pinned posts in the stream of a record, newest first. */
export async function readPinned(
  context: QueryContext,
  { actor, model, id, name }: StreamedRecord,
): Promise<readonly StreamItem[]> {
  const values = [streamPinsId(model.name, id), id, name];
  const rows = await runStatement(context.pool, context.prepare(pinnedText), values);
  return markPosts(
    context,
    actor,
    rows.map((row) => toPost(row, context.directory)),
  );
}
