import { type Reader, viewFor } from '../../../shared/search/record-view.ts';
import type { ListRequest, RecordList } from '../lists/list-request.ts';
import { searchRecords } from '../lists/search-records.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import { type RecordQuery, readVersion } from '../rows/require-readable.ts';
import { viewableLink } from './viewable-link.ts';

/**
 * Returns a page of the records that are linked with a record: a list of the other entity type, limited by the actor's
 * permissions for both.
 */
export async function listLinked(
  deps: SearchDeps,
  query: RecordQuery & { readonly link: string },
  request: ListRequest,
): Promise<RecordList> {
  const { model, id } = query;
  const { link } = viewableLink(query, deps.directory.entity);
  // Throws the same refusals as a read of the record.
  await readVersion(deps, query);
  return searchRecords(deps, {
    ...linkedReader(deps, query),
    // Linked lists always have a total.
    request: { ...request, withTotal: true },
    linkedWith: { link, model, id },
  });
}

/** The actor's view of the linked entity type. */
export function linkedReader(
  { directory }: Pick<SearchDeps, 'directory'>,
  query: RecordQuery & { readonly link: string },
): Reader {
  const { actor } = query;
  const { target } = viewableLink(query, directory.entity);
  return { actor, model: target, view: viewFor(actor, target, directory.entity) };
}
