import type { Actor } from '../../../shared/domain/access/actor.ts';
import { counted } from '../../../shared/domain/counted.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import { type RecordView, viewFor } from '../../../shared/search/record-view.ts';
import type { Row } from '../../../shared/search/run-statement.ts';
import { type RecordPlace, readSlices } from '../search/list/fetch-page.ts';
import { prepareSearch } from '../search/list/search-records.ts';
import type { SearchDeps } from '../search/rows/finish-rows.ts';
import { badExport, type PlannedExport } from './plan-export.ts';
import { toCsv } from './to-csv.ts';

export interface ExportLimits {
  readonly maxRecords: number;
  /** Of the file. */
  readonly maxBytes: number;
}

/** Produces the bytes of a file piece by piece: the same ones each time that it is called. */
type ProduceBytes = () => AsyncGenerator<Buffer>;

/**
 * The file of an export: the records that the actor may read, with the attributes that are open to the actor. `deps` read
 * from one snapshot, as long as bytes are produced. Refuses an export of too many records; `ProduceBytes` throws for too
 * many bytes.
 */
export async function exportRecords(
  deps: SearchDeps & ExportLimits,
  actor: Actor,
  { model, ids, filter, orderBy, direction, attributes }: PlannedExport,
): Promise<ProduceBytes> {
  const { maxRecords, maxBytes } = deps;
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
  const found = { actor, model, view, request, ...(ids === undefined ? {} : { ids }) };
  const search = await prepareSearch(deps, found);
  // Without a total it finds one more than the page has.
  const places = await search.readPlaces();
  if (places.length > maxRecords) throw tooMany(maxRecords);
  return () => withinLimit(toCsv(columns, readAll(deps, search, places)), maxBytes);
}

/** Throws if a record is missing: its table was replaced by that of a rebuild, which the snapshot does not show. */
async function* readAll(
  deps: SearchDeps,
  search: Parameters<typeof readSlices>[1],
  places: readonly RecordPlace[],
): AsyncGenerator<readonly Row[]> {
  let count = 0;
  for await (const rows of readSlices(deps, search, places)) {
    count += rows.length;
    yield rows;
  }
  if (count < places.length) throw new Unavailable('The read model is being replaced.');
}

async function* withinLimit(
  pieces: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield piece;
  }
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
  const message =
    `An export has at most ${counted(maxRecords, 'record')} (API_EXPORT_LIMIT): ` +
    "select fewer with 'where' or 'ids'.";
  return new Refusal('invalid', 'export.too_many', message);
}

function tooLarge(maxBytes: number): Refusal {
  const message =
    `An export has at most ${counted(maxBytes, 'byte')} (API_EXPORT_MAX_BYTES): ` +
    "select fewer columns with 'attributeList', or fewer records with 'where' or 'ids'.";
  return new Refusal('invalid', 'export.too_large', message);
}
