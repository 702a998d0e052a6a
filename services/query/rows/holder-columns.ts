import {
  holdsFile,
  isUploadedFor,
  type ReadableHolder,
  readableHolders,
} from '../../../shared/db/sql/attachment-condition.ts';
import { liveTable } from '../../../shared/db/tables/read-model-names.ts';
import type { FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { type Reader, viewerExpressions } from '../../../shared/search/record-view.ts';

/**
 * Returns SQL over `r`, a row of attachments, for the id and the name of the record that contains the file: `related`
 * for a field with one file, `parent` for a field with several. The value is null unless the actor may read that record
 * and the field. The SQL is keyed by attribute name; other entity types get an empty map.
 */
export function holderColumns(
  { actor, model, view }: Reader,
  findModel: FindModel,
): ReadonlyMap<string, string> {
  if (model.definition.isFile !== true) return new Map();
  const viewer = viewerExpressions;
  const holders = readableHolders({ actor, model, findModel, rows: view.rows, viewer });
  const [related, parent] = [true, false].map((isOne) =>
    holders.filter(({ holder, field }) => holder.attribute.has(`${field}Id`) === isOne),
  );
  const idOf = () => 'h.id';
  const nameOf = ({ holder }: ReadableHolder) => {
    const isNamed = holder.attribute.get('name')?.stored === true;
    const named = isNamed ? view.named(holder, 'h') : null;
    return named === null ? undefined : `case when ${named ?? 'true'} then h.name end`;
  };
  return new Map([
    ['relatedId', firstHolder(related ?? [], idOf)],
    ['relatedName', firstHolder(related ?? [], nameOf)],
    ['parentId', firstHolder(parent ?? [], idOf)],
    ['parentName', firstHolder(parent ?? [], nameOf)],
  ]);
}

/** If the uploader put a file into several records of one type, the oldest record is chosen. */
function firstHolder(
  holders: readonly ReadableHolder[],
  selectOf: (holder: ReadableHolder) => string | undefined,
): string {
  const cases = holders.flatMap((place) => {
    const value = selectOf(place);
    if (value === undefined) return [];
    const rows = `${liveTable(place.holder.name)} h where not h.deleted and ${holdsFile(place, 'r')} and ${place.readable}`;
    // Sorts with an aggregate, because `limit 1` may make Postgres scan all records in the order of ids.
    return [
      `when ${isUploadedFor(place, 'r')} then (select (array_agg(${value} order by h.id))[1] from ${rows})`,
    ];
  });
  return cases.length === 0 ? 'null::text' : `(case ${cases.join(' ')} end)`;
}
