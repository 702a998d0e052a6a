import type { Actor } from '../../../shared/domain/access/actor.ts';
import { type Row, runStatement } from '../../../shared/search/run-statement.ts';
import { createBinder } from '../../../shared/search/where/binder.ts';
import type { SearchDeps } from '../search/rows/finish-rows.ts';
import { quoteText } from '../search/rows/quote-text.ts';
import { followedRows, viewerOf } from './followed-rows.ts';
import { nameColumn } from './item-context.ts';
import { noteTable, type PostChunk, postChunk, postColumns, postRows } from './post-items.ts';
import { readSeveralStreams, type StreamsRequest } from './read-several-streams.ts';
import type { Stream, StreamRequest } from './stream-item.ts';

/** Reads the stream of the records that the actor follows. */
export async function readOwnStream(
  deps: SearchDeps,
  actor: Actor,
  request: StreamRequest,
): Promise<Stream> {
  return readSeveralStreams(deps, { rowsOf: followedRows, readPosts }, { actor, request });
}

/** Reads posts under any of the followed records. */
async function readPosts(
  { pool }: SearchDeps,
  { actor, request, opened }: StreamsRequest,
  { before, limit }: PostChunk,
): Promise<readonly Row[]> {
  const binder = createBinder([actor.id, actor.teamIds]);
  const wanted = postRows({ ...request, before }, binder, actor.id);
  const last = `order by id desc limit ${limit}`;
  const selects = opened.map(({ model, view }) => {
    const parents = `(select t.id, ${nameColumn(model, view, 't')} as name from ${followedRows({ model, view })}) p`;
    const own = `n.parent_id = p.id and n.parent_type = ${quoteText(model.name)} and ${wanted}`;
    const posts = `(select ${postColumns} from ${noteTable} n where ${own} ${last}) n`;
    return `(select ${postColumns}, p.name as parent_name from ${parents} cross join lateral ${posts} ${last})`;
  });
  const text = postChunk(`select * from (${selects.join(' union all ')}) found ${last}`);
  return runStatement(pool, { text: viewerOf(text) }, [...binder.values]);
}
