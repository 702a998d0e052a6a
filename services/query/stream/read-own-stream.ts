import { allOf } from '../../../shared/db/sql/conditions.ts';
import { ownPostCondition } from '../../../shared/db/sql/stream-condition.ts';
import { type Actor, isTeammate } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { viewerExpressions, viewFor } from '../../../shared/search/record-view.ts';
import { type Row, runStatement } from '../../../shared/search/run-statement.ts';
import { createBinder } from '../../../shared/search/where/binder.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import { quoteText } from '../rows/quote-text.ts';
import { noSuchRecord, type RecordQuery, readRow } from '../rows/require-readable.ts';
import { followedRows, viewerOf } from './followed-rows.ts';
import { nameColumn } from './item-context.ts';
import { noteTable, type PostChunk, postChunk, postColumns, postRows } from './post-items.ts';
import { readSeveralStreams, type StreamsRequest } from './read-several-streams.ts';
import type { Stream, StreamRequest } from './stream-item.ts';

/** Returns the stream of the records that the actor follows, with posts to users and teams. */
export async function readOwnStream(
  deps: SearchDeps,
  actor: Actor,
  request: StreamRequest,
): Promise<Stream> {
  return readStreamOf(deps, actor, { actor, request });
}

/**
 * Returns the part of a user's stream that the actor may see: records that the user follows, and posts to or by the user.
 * `userPermission` decides who may read the streams of other users.
 */
export async function readUserStream(
  deps: SearchDeps,
  query: RecordQuery,
  request: StreamRequest,
): Promise<Stream> {
  const { actor, id } = query;
  await readRow(deps, query, 'r.id');
  const user = deps.directory.record('User', id);
  if (user === undefined) throw noSuchRecord(id);
  const owner = deps.directory.actor(user);
  requireUserPermission(actor, owner);
  return readStreamOf(deps, owner, { actor, request });
}

function requireUserPermission(actor: Actor, owner: Actor): void {
  const level = actor.permissions.user;
  if (actor.id === owner.id || level === 'all') return;
  if (level === 'team' && isTeammate(actor, owner)) return;
  throw new Refusal('forbidden', 'access.denied', 'No permission to see the stream of this user.');
}

async function readStreamOf(
  deps: SearchDeps,
  owner: Actor,
  request: Omit<StreamsRequest, 'opened'>,
): Promise<Stream> {
  const isOwn = owner.id === request.actor.id;
  return readSeveralStreams(
    deps,
    {
      rowsOf: (reader, binder) =>
        followedRows(reader, isOwn ? viewerExpressions.id : `${binder.bind(owner.id)}::text`),
      readPosts: (search, streams, chunk) => readPosts(search, { ...streams, owner }, chunk),
      withoutRecords: true,
    },
    request,
  );
}

/** Returns posts under any of the followed records, and posts to or by the owner of the stream. */
async function readPosts(
  { pool, directory }: SearchDeps,
  { actor, request, opened, owner }: StreamsRequest & { readonly owner: Actor },
  { before, limit }: PostChunk,
): Promise<readonly Row[]> {
  const binder = createBinder([actor.id, actor.teamIds]);
  const isOwn = owner.id === actor.id;
  const ownerId = isOwn ? viewerExpressions.id : `${binder.bind(owner.id)}::text`;
  const wanted = postRows({ ...request, before }, binder, actor.id);
  const last = `order by id desc limit ${limit}`;
  const selects = opened.map(({ model, view }) => {
    const parents = `(select t.id, ${nameColumn(model, view, 't')} as name from ${followedRows({ model, view }, ownerId)}) p`;
    const own = `n.parent_id = p.id and n.parent_type = ${quoteText(model.name)} and ${wanted}`;
    const posts = `(select ${postColumns} from ${noteTable} n where ${own} ${last}) n`;
    return `(select ${postColumns}, p.name as parent_name from ${parents} cross join lateral ${posts} ${last})`;
  });
  const teams = isOwn ? viewerExpressions.teams : `${binder.bind(owner.teamIds)}::text[]`;
  const notes = directory.entity('Note');
  if (notes === undefined) throw new Error('The entity type Note is not defined.');
  const readable = isOwn ? undefined : viewFor(actor, notes, directory.entity).rows(notes, 'n');
  const ofOwner = allOf(ownPostCondition('n', { id: ownerId, teams }), wanted, readable);
  selects.push(
    `(select ${postColumns}, null::text as parent_name from ${noteTable} n where ${ofOwner} ${last})`,
  );
  const text = postChunk(`select * from (${selects.join(' union all ')}) found ${last}`);
  return runStatement(pool, { text: viewerOf(text) }, [...binder.values]);
}
