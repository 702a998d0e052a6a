import type { Actor } from '../../../shared/domain/access/actor.ts';
import { counted } from '../../../shared/domain/counted.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { type RecordView, viewFor } from '../../../shared/search/record-view.ts';
import { searchRecords } from '../search/list/search-records.ts';
import type { SearchDeps } from '../search/rows/finish-rows.ts';
import { badExport, type PlannedExport } from './plan-export.ts';
import { toCsv } from './to-csv.ts';

/** The records that the actor may read, with the attributes that are open to the actor. */
export async function exportRecords(
  deps: SearchDeps & { readonly maxRecords: number },
  actor: Actor,
  { model, ids, filter, orderBy, direction, attributes }: PlannedExport,
): Promise<Buffer> {
  const { maxRecords } = deps;
  if (ids !== undefined && ids.length > maxRecords) throw tooMany(maxRecords);
  const view = viewFor(actor, model, deps.directory.entity);
  const columns = columnsFor(model, view, attributes);
  const request = {
    offset: 0,
    maxSize: maxRecords,
    orderBy,
    direction,
    select: columns,
    isWhole: true,
    withTotal: false,
    filter,
  };
  const search = { actor, model, view, request, ...(ids === undefined ? {} : { ids }) };
  const { total, list } = await searchRecords(deps, search);
  // More records follow, see RecordList.
  if (total === -1) throw tooMany(maxRecords);
  return toCsv(columns, list);
}

/** The selected columns, or those that lists show. Unknown and closed attributes are left out, as in lists. */
function columnsFor(
  model: EntityModel,
  view: RecordView,
  asked: readonly string[] | undefined,
): readonly string[] {
  const usual = [
    'id',
    ...model.attributes.filter((one) => !one.singleReadOnly).map((one) => one.name),
  ];
  const columns = (asked ?? usual).filter((name) => {
    const attribute = model.attribute.get(name);
    return name === 'id' || (attribute !== undefined && view.isVisible(attribute));
  });
  if (columns.length > 0) return columns;
  throw badExport('No column is left: none of those asked for exists, or your role hides them.');
}

function tooMany(maxRecords: number): Refusal {
  const message = `An export takes at most ${counted(maxRecords, 'record')}.`;
  return new Refusal('invalid', 'export.too_many', message);
}
