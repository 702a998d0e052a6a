import { allOf } from '../../../shared/db/sql/conditions.ts';
import { isFull } from '../../../shared/db/sql/fit-page.ts';
import { parentName } from '../../../shared/db/sql/parent-name.ts';
import { liveSchema, quoteName } from '../../../shared/db/tables/read-model-names.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { mentionedUserIds } from '../../../shared/domain/stream/user-mentions.ts';
import { viewerExpressions, viewFor } from '../../../shared/search/record-view.ts';
import { type Row, runStatement } from '../../../shared/search/run-statement.ts';
import { createBinder } from '../../../shared/search/where/binder.ts';
import type { QueryContext } from '../context.ts';
import { type StreamSource, sourceOfChunks } from '../stream/merge-sources.ts';
import { noteTable, postChunk, postColumns, toPost } from '../stream/post-items.ts';
import { viewerOf } from '../stream/read-several-streams.ts';
import type { StreamItem, StreamRequest } from '../stream/stream-item.ts';

const CHUNK = 100;

/** The last row of the previous chunk. */
interface Place {
  readonly number: number;
  readonly id: string;
}

/**
 * Creates a source of the posts by others that mention the actor and that the actor may read. The number of an item is
 * that of the event that added the mention, which may be an edit. Reads chunks on demand.
 */
export function createMentioningPosts(
  context: QueryContext,
  actor: Actor,
  request: StreamRequest,
): StreamSource {
  const seen = new Set<string>();
  let before: Place | undefined = {
    number: Math.min(request.below, Number.MAX_SAFE_INTEGER),
    id: '',
  };
  return sourceOfChunks(request.below, async () => {
    if (before === undefined) return undefined;
    const rows = await readChunk(context, { actor, from: request.from, before });
    const last = rows.at(-1);
    const isEnd = last === undefined || (rows.length < CHUNK && !isFull(rows));
    before = isEnd ? undefined : { number: Number(last['number']), id: String(last['id']) };
    return rows.flatMap((row): readonly StreamItem[] => {
      const post = toPost(row, context.directory);
      // The mention may have been removed since, and added again.
      if (seen.has(post.id) || !mentionedUserIds(post.data).includes(actor.id)) return [];
      seen.add(post.id);
      return [{ ...post, number: Number(row['number']) }];
    });
  });
}

async function readChunk(
  { pool, directory }: QueryContext,
  { actor, from, before }: { readonly actor: Actor; readonly from: number; readonly before: Place },
): Promise<readonly Row[]> {
  const findModel = directory.entity;
  const notes = findModel('Note');
  const parent = notes?.attribute.get('parentName')?.parent;
  if (notes === undefined || parent === undefined) {
    throw new Error('The entity type Note is not defined, or has no parent.');
  }
  const view = viewFor(actor, notes, findModel);
  const binder = createBinder([actor.id, actor.teamIds]);
  const last = `(${binder.bind(before.number)}::bigint, ${binder.bind(before.id)}::text)`;
  const wanted = allOf(
    `m.record_id = ${viewerExpressions.id} and m.entity_type = 'Note'`,
    `m.number >= ${binder.bind(Math.max(Math.ceil(from), 0))} and (m.number, m.by_id) < ${last}`,
    `not n.deleted and n.created_by_id is distinct from ${viewerExpressions.id}`,
    view.rows(notes, 'n'),
  );
  const name = parentName(parent, 'n', { findModel, readable: view.named });
  const text =
    `select ${postColumns}, ${name} as parent_name, m.number::float8 as number, m.version` +
    ` from ${quoteName(liveSchema)}.stream_mentions m join ${noteTable} n on n.id = m.by_id` +
    ` where ${wanted} order by m.number desc, m.by_id desc, m.version desc limit ${CHUNK}`;
  const chunk = postChunk(text, 'number desc, id desc, version desc');
  return runStatement(pool, { text: viewerOf(chunk) }, [...binder.values]);
}
