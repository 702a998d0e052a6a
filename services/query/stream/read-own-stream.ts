import { allOf, anyIn } from '../../../shared/db/sql/conditions.ts';
import { isLive, subscriptions } from '../../../shared/db/sql/following-column.ts';
import { ownPostCondition } from '../../../shared/db/sql/stream-condition.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import { type Actor, isTeammate } from '../../../shared/domain/access/actor.ts';
import { attendeesOf } from '../../../shared/domain/entity/model/attendees-of.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { type Reader, viewerExpressions, viewFor } from '../../../shared/search/record-view.ts';
import { type Row, runStatement } from '../../../shared/search/run-statement.ts';
import { createBinder } from '../../../shared/search/where/binder.ts';
import type { QueryContext } from '../context.ts';
import { quoteText } from '../rows/quote-text.ts';
import { noSuchRecord, type RecordQuery, readRow } from '../rows/require-readable.ts';
import type { StreamSource } from './merge-sources.ts';
import { noteTable, type PostChunk, postChunk, postColumns, postRows } from './post-items.ts';
import {
  type MergedStreams,
  openSources,
  readSeveralStreams,
  type StreamsRequest,
  viewerOf,
} from './read-several-streams.ts';
import type { Stream, StreamRequest } from './stream-item.ts';
import { nameColumn } from './to-stream-items.ts';

/** Returns the stream of the records that the actor follows, with posts to users and teams. */
export async function readOwnStream(
  context: QueryContext,
  actor: Actor,
  request: StreamRequest,
): Promise<Stream> {
  return readStreamOf(context, { owner: actor, actor, request });
}

/**
 * Returns the part of a user's stream that the actor may see: records that the user follows, and posts to or by the
 * user. `userPermission` determines who may read the streams of other users.
 */
export async function readUserStream(
  context: QueryContext,
  query: RecordQuery,
  request: StreamRequest,
): Promise<Stream> {
  const { actor, id } = query;
  await readRow(context, query, 'r.id');
  const user = context.directory.record('User', id);
  if (user === undefined) throw noSuchRecord(id);
  const owner = context.directory.actor(user);
  requireUserPermission(actor, owner);
  return readStreamOf(context, { owner, actor, request });
}

function requireUserPermission(actor: Actor, owner: Actor): void {
  const level = actor.permissions.user;
  if (actor.id === owner.id || level === 'all') return;
  if (level === 'team' && isTeammate(actor, owner)) return;
  throw new Refusal('forbidden', 'access.denied', 'No permission to see the stream of this user.');
}

async function readStreamOf(
  context: QueryContext,
  { owner, ...streams }: Omit<StreamsRequest, 'opened'> & { readonly owner: Actor },
): Promise<Stream> {
  return readSeveralStreams(context, streamsOf(owner, streams.actor), streams);
}

/** Opens the streams of the records that the actor follows. `context.pool` is the search pool. */
export async function openOwnSources(
  context: QueryContext,
  actor: Actor,
  request: StreamRequest,
): Promise<readonly StreamSource[]> {
  return openSources(context, streamsOf(actor, actor), { actor, request });
}

function streamsOf(owner: Actor, actor: Actor): MergedStreams {
  const isOwn = owner.id === actor.id;
  return {
    rowsOf: (reader, binder) =>
      followedRows(reader, isOwn ? viewerExpressions.id : `${binder.bind(owner.id)}::text`),
    readPosts: (search, opened, chunk) => readPosts(search, { ...opened, owner }, chunk),
    withoutRecords: true,
  };
}

/** Returns posts under any of the followed records, and posts to or by the owner of the stream. */
async function readPosts(
  { pool, directory }: QueryContext,
  { actor, request, opened, owner }: StreamsRequest & { readonly owner: Actor },
  { before, limit }: PostChunk,
): Promise<readonly Row[]> {
  const binder = createBinder([actor.id, actor.teamIds]);
  const isOwn = owner.id === actor.id;
  const ownerId = isOwn ? viewerExpressions.id : `${binder.bind(owner.id)}::text`;
  const wanted = postRows({ actor, request }, before, binder);
  const last = `order by id desc limit ${limit}`;
  const selects = opened.map((reader) => {
    const { model, view } = reader;
    const parents = `(select t.id, ${nameColumn(model, view, 't')} as name from ${followedRows(reader, ownerId)}) p`;
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

/**
 * Maximum number, per type, of followed records that the user created; the newest ones are included. Integrations
 * create millions of records.
 */
const MAX_CREATED = 1_000;

/**
 * Returns SQL for the live records of a type, as `t`, that a user follows and whose stream the viewer may see. Users
 * follow records by subscription, or as creator, assigned user or attendee unless they have unfollowed them. `userId`
 * is also SQL. The statement has to begin with `viewerOf`.
 */
function followedRows({ model, view }: Reader, userId: string): string {
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
  // Joins row by row on the primary key, because Postgres overestimates the number of ids and would scan the whole
  // table.
  return (
    `((${ids.join(' union ')}) except ${declined}) f (id)` +
    ` cross join lateral (select * from ${table} r where r.id = f.id offset 0) t` +
    ` where ${allOf('not t.deleted', view.stream(model, 't'))}`
  );
}
