import { viewFor } from '../../../../shared/search/record-view.ts';
import type { ListRequest, RecordList } from '../list/list-request.ts';
import { searchRecords } from '../list/search-records.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import { type RecordQuery, readVersion } from '../rows/require-readable.ts';
import { viewableLink } from './viewable-link.ts';

/**
 * A page of the records that are linked with a record: a list of the other entity type, under the actor's access to
 * both.
 */
export async function listLinked(
  deps: SearchDeps,
  query: RecordQuery & { readonly link: string },
  request: ListRequest,
): Promise<RecordList> {
  const { actor, model, id } = query;
  const { link, target } = viewableLink(query, deps.directory.entity);
  // Refuses just as a read of the record does.
  await readVersion(deps, query);
  return searchRecords(deps, {
    actor,
    model: target,
    view: viewFor(actor, target, deps.directory.entity),
    // Linked lists always have a total.
    request: { ...request, withTotal: true },
    linkedWith: { link, model, id },
  });
}
