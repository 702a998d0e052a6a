import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { viewFor } from '../../../shared/search/record-view.ts';
import { runStatement } from '../../../shared/search/run-statement.ts';
import type { ListRequest, RecordList } from '../lists/list-request.ts';
import { searchRecords } from '../lists/search-records.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import type { RecordQuery } from '../rows/require-readable.ts';
import { openStream } from './open-stream.ts';
import { noteTable } from './post-items.ts';

/** Maximum number of files listed from one stream. The remaining files are available through the posts. */
const MAX_FILES = 5_000;

const text = `select distinct unnest(n.attachments_ids) as id from ${noteTable} n
  where not n.deleted and n.parent_id = $1 and n.parent_type = $2 order by id desc limit ${MAX_FILES}`;

/** Lists the files of the posts under a record. Refuses the request if the actor may not see its stream. */
export async function listStreamAttachments(
  deps: SearchDeps,
  query: RecordQuery,
  request: ListRequest,
): Promise<RecordList> {
  const { directory, searchPool, prepare } = deps;
  const { actor, model, id } = query;
  await openStream(deps, query, 'r.id');
  const target = directory.entity(attachmentType);
  if (target === undefined) throw new Error('The entity type Attachment is not defined.');
  const rows = await runStatement(searchPool.of(actor), prepare(text), [id, model.name]);
  return searchRecords(deps, {
    actor,
    model: target,
    view: viewFor(actor, target, directory.entity),
    request: { ...request, withTotal: true },
    ids: rows.map((row) => String(row['id'])),
  });
}
