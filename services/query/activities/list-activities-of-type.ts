import { viewFor } from '../../../shared/search/record-view.ts';
import type { ListRequest, RecordList } from '../lists/list-request.ts';
import { searchRecords } from '../lists/search-records.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import { readVersion } from '../rows/require-readable.ts';
import { type ActivitiesAbout, conditionsAbout, modelAbout } from './activities-about.ts';
import { kindsByStatus } from './activity-kinds.ts';

/**
 * Lists the planned or past activities of a record that have one entity type, as a list of that type. Refuses the request if
 * the actor may not read the record or the type.
 */
export async function listActivitiesOfType(
  deps: SearchDeps,
  {
    entityType,
    request,
    ...about
  }: ActivitiesAbout & { readonly entityType: string; readonly request: ListRequest },
): Promise<RecordList> {
  const { actor, model: parent } = about.query;
  await readVersion(deps, about.query);
  const model = modelAbout(deps, parent, entityType);
  return searchRecords(deps, {
    actor,
    model,
    view: viewFor(actor, model, deps.directory.entity),
    request,
    conditions(binder) {
      const [kind] = kindsByStatus(deps, actor, [model]);
      return (kind && conditionsAbout(kind, about, binder)) ?? ['false'];
    },
  });
}
