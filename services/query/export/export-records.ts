import type { Actor } from '../../../shared/domain/access/actor.ts';
import { counted } from '../../../shared/domain/counted.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import { type RecordView, viewFor } from '../../../shared/search/record-view.ts';
import type { Row } from '../../../shared/search/run-statement.ts';
import { type RecordPlace, readSlices } from '../lists/fetch-page.ts';
import { prepareSearch } from '../lists/search-records.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import { badExport, type PlannedExport } from './plan-export.ts';
import { toCsv } from './to-csv.ts';

export interface ExportLimits {
  readonly maxRecords: number;
  /** Maximum size of the file. */
  readonly maxBytes: number;
}

/** Produces the bytes of a file in chunks. Each call produces the same bytes. */
type ProduceBytes = () => AsyncGenerator<Buffer>;

/**
 * Prepares the file of an export: the records that the actor may read, with the attributes that the actor may see. `deps`
 * must read from one snapshot until all bytes are produced. Throws a refusal if there are too many records;
 * `ProduceBytes` throws one if there are too many bytes.
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
  // Without a total, `readPlaces` returns one more record than the page has.
  const places = await search.readPlaces();
  if (places.length > maxRecords) throw tooMany(maxRecords);
  return () => withinLimit(toCsv(columns, readAll(deps, search, places)), maxBytes);
}

/** Throws if a record is missing because a rebuild has replaced its table, which the snapshot does not show. */
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

/** Returns the selected columns, or the default columns of lists. Omits unknown and hidden attributes, as lists do. */
function columnsFor(
  model: EntityModel,
  view: RecordView,
  selected: readonly string[] | undefined,
): readonly string[] {
  const usual = [
    'id',
    ...model.attributes.filter((one) => !one.singleReadOnly).map((one) => one.name),
  ];
  const columns = (selected ?? usual).filter((name) => {
    const attribute = model.attribute.get(name);
    return name === 'id' || (attribute !== undefined && view.isVisible(attribute));
  });
  if (columns.length > 0) return columns;
  throw badExport(
    'No column is left: the selected attributes do not exist, or your role hides them.',
  );
}

function tooMany(maxRecords: number): Refusal {
  const message =
    `An export has at most ${counted(maxRecords, 'record')} (API_EXPORT_LIMIT). ` +
    "Select fewer with 'where' or 'ids'.";
  return new Refusal('invalid', 'export.too_many', message);
}

function tooLarge(maxBytes: number): Refusal {
  const message =
    `An export has at most ${counted(maxBytes, 'byte')} (API_EXPORT_MAX_BYTES). ` +
    "Select fewer columns with 'attributeList', or fewer records with 'where' or 'ids'.";
  return new Refusal('invalid', 'export.too_large', message);
}
