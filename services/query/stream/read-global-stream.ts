import { allOf } from '../../../shared/db/sql/conditions.ts';
import { parentName } from '../../../shared/db/sql/parent-name.ts';
import { liveTable } from '../../../shared/db/tables/read-model-names.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { type Reader, viewFor } from '../../../shared/search/record-view.ts';
import { type Row, runStatement } from '../../../shared/search/run-statement.ts';
import { createBinder } from '../../../shared/search/where/binder.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import { viewerOf } from './followed-rows.ts';
import { noteTable, type PostChunk, postChunk, postColumns, postRows } from './post-items.ts';
import { readSeveralStreams, type StreamsRequest } from './read-several-streams.ts';
import type { Stream, StreamRequest } from './stream-item.ts';

/** Reads the stream of all records whose stream the actor may see. Requires the scope `GlobalStream`. */
export async function readGlobalStream(
  deps: SearchDeps,
  actor: Actor,
  request: StreamRequest,
): Promise<Stream> {
  return readSeveralStreams(deps, { rowsOf: openRows, readPosts }, { actor, request });
}

function openRows({ model, view }: Reader): string {
  return `${liveTable(model.name)} t where ${allOf('not t.deleted', view.stream(model, 't'))}`;
}

async function readPosts(
  { pool, directory }: SearchDeps,
  { actor, request }: StreamsRequest,
  { before, limit }: PostChunk,
): Promise<readonly Row[]> {
  const findModel = directory.entity;
  const model = findModel('Note');
  const parent = model?.attribute.get('parentName')?.parent;
  if (model === undefined || parent === undefined)
    throw new Error('The entity type Note is not defined, or has no parent.');
  const view = viewFor(actor, model, findModel);
  const binder = createBinder([actor.id, actor.teamIds]);
  const wanted = allOf(
    'n.parent_id is not null',
    postRows({ ...request, before }, binder, actor.id),
    view.rows(model, 'n'),
  );
  const name = parentName(parent, 'n', { findModel, readable: view.named });
  const text =
    `select ${postColumns}, ${name} as parent_name from ${noteTable} n` +
    ` where ${wanted} order by n.id desc limit ${limit}`;
  return runStatement(pool, { text: viewerOf(postChunk(text)) }, [...binder.values]);
}
