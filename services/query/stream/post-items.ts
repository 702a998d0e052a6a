import { fitPage, isFull } from '../../../shared/db/sql/fit-page.ts';
import { subscriptions } from '../../../shared/db/sql/following-column.ts';
import { liveTable } from '../../../shared/db/tables/read-model-names.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { namesIn } from '../../../shared/domain/directory/names-in.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import { noMarks } from '../../../shared/domain/stream/post-marks.ts';
import { firstIdOf, numberOfId } from '../../../shared/domain/stream/stream-number.ts';
import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import { type Row, textOrNull } from '../../../shared/search/run-statement.ts';
import type { Binder } from '../../../shared/search/where/binder.ts';
import { type StreamSource, sourceOfChunks } from './merge-sources.ts';
import type { StreamItem, StreamRequest } from './stream-item.ts';

export const noteTable = liveTable('Note');

/** The columns of an item, from `n`, a row in the table of notes. */
export const postColumns =
  'n.id, n.post, n.created_at, n.modified_at, n.created_by_id, n.is_internal, n.attachments_ids, n.parent_type, n.parent_id, ' +
  'n.target_type, n.users_ids, n.teams_ids, n.data, ' +
  `${ofFiles('name')} as attachments_names, ${ofFiles('type')} as attachments_types`;

/** Returns SQL for names or types of a post's files, by id. */
function ofFiles(column: 'name' | 'type'): string {
  const files = `${liveTable(attachmentType)} f where f.id = any(n.attachments_ids)`;
  return `(select jsonb_object_agg(f.id, f.${column}) from ${files})`;
}

/** The posts below an id, or the newest posts if `before` is undefined. */
export interface PostChunk {
  readonly before: string | undefined;
  readonly limit: number;
}

const LARGEST_CHUNK = 1_000;
/** The maximum number of bytes that a file's name and type may add to a post. */
const BYTES_PER_FILE = 300;

/** Returns SQL for a chunk of posts, newest first. `rows` is SQL for `limit` rows with `postColumns`. */
export function postChunk(rows: string, order = 'id desc'): string {
  const files = `${BYTES_PER_FILE} * coalesce(cardinality(attachments_ids), 0)`;
  const bytes = `(coalesce(octet_length(post), 0) + coalesce(octet_length(data::text), 0) + ${files})`;
  return fitPage({ rows, bytes, order });
}

/** Creates a source of the posts that a request includes. Reads chunks on demand. */
export function createPostSource(
  directory: Directory,
  { below, offset, maxSize }: StreamRequest,
  read: (chunk: PostChunk) => Promise<readonly Row[]>,
): StreamSource {
  const limit = Math.min(offset + maxSize + 1, LARGEST_CHUNK);
  let before: string | undefined;
  let isEnd = false;
  return sourceOfChunks(below, async () => {
    if (isEnd) return undefined;
    const rows = await read({ before, limit });
    isEnd = rows.length < limit && !isFull(rows);
    const posts = rows.map((row) => toPost(row, directory));
    before = posts.at(-1)?.id;
    return posts;
  });
}

/** Returns SQL over `n` for the live posts of a chunk that the request includes. */
export function postRows(
  { actor, request }: { readonly actor: Actor; readonly request: StreamRequest },
  before: PostChunk['before'],
  binder: Binder,
): string {
  const { from, below, skipOwn, sinceFollowed } = request;
  return [
    'not n.deleted',
    ...(before === undefined ? [] : [`n.id < ${binder.bind(before)}`]),
    ...(below === Number.POSITIVE_INFINITY ? [] : [`n.id < ${binder.bind(firstIdOf(below))}`]),
    ...(from === 0 ? [] : [`n.id >= ${binder.bind(firstIdOf(from))}`]),
    ...(skipOwn ? [`n.created_by_id <> ${binder.bind(actor.id)}`] : []),
    ...(sinceFollowed === true
      ? [
          `n.created_at >= coalesce(${followedAt({ id: 'n.parent_id', type: 'n.parent_type' }, `${binder.bind(actor.id)}::text`)}, '-infinity')`,
        ]
      : []),
  ].join(' and ');
}

/**
 * Returns SQL for the time since which a user follows a record explicitly; null if the user follows it for another reason,
 * or not at all. All parts are SQL.
 */
export function followedAt(
  record: { readonly id: string; readonly type: string },
  userId: string,
): string {
  const own = `${record.id} || '.' || ${userId} || '.' || ${record.type}`;
  return `(select s.created_at from ${subscriptions} s where s.id = ${own} and s.is_followed)`;
}

/** Converts a row with `postColumns` and `parent_name` to an item. */
export function toPost(row: Row, directory: Directory): StreamItem {
  const id = String(row['id']);
  const createdById = textOrNull(row['created_by_id']);
  const author = directory.record('User', createdById ?? '')?.values['name'];
  return {
    id,
    type: 'Post',
    number: numberOfId(id),
    post: textOrNull(row['post']),
    data: toObject(row['data']),
    createdAt: String(row['created_at']),
    createdById,
    createdByName: textOrNull(author),
    modifiedAt: String(row['modified_at']),
    parentType: textOrNull(row['parent_type']),
    parentId: textOrNull(row['parent_id']),
    parentName: textOrNull(row['parent_name']),
    relatedType: null,
    relatedId: null,
    relatedName: null,
    attachmentsIds: Array.isArray(row['attachments_ids']) ? row['attachments_ids'] : [],
    attachmentsNames: toObject(row['attachments_names']),
    attachmentsTypes: toObject(row['attachments_types']),
    isInternal: row['is_internal'] === true,
    ...noMarks,
    ...addresseesOf(row, directory),
  };
}

function addresseesOf(row: Row, directory: Directory): Partial<StreamItem> {
  const targetType = textOrNull(row['target_type']);
  if (targetType === null) return {};
  const nameOf = namesIn(directory);
  const [usersIds, teamsIds] = [idsIn(row['users_ids']), idsIn(row['teams_ids'])];
  const named = (entityType: string, ids: readonly string[]) =>
    Object.fromEntries(ids.map((id) => [id, nameOf(entityType, id) ?? null]));
  return {
    targetType,
    usersIds,
    usersNames: named('User', usersIds),
    teamsIds,
    teamsNames: named('Team', teamsIds),
  };
}
