import { allOf } from '../../../shared/db/sql/conditions.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import { mayReadLink } from '../../../shared/domain/access/may-read-link.ts';
import type { FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { type EntityLink, linksOf } from '../../../shared/domain/entity/model/links.ts';
import type { Reader } from '../../../shared/search/record-view.ts';
import { linkedRows } from '../rows/linked-rows.ts';
import { quoteText } from '../rows/quote-text.ts';

/**
 * Returns SQL over `r`, a row of the entity's table, for the fields that count links, by name of the attribute. Records are
 * counted as the actor would see them in the lists of linked records; users are counted as the record names them.
 */
export function linkCounts(reader: Reader, findModel: FindModel): ReadonlyMap<string, string> {
  const { actor, model } = reader;
  const links = linksOf(model, findModel);
  return new Map(
    [...model.fields].flatMap(([name, { counts }]) => {
      if (counts === undefined) return [];
      const open = counts.links.filter((link) => mayReadLink(actor, { model, link }, findModel));
      const parts = open.flatMap((link) =>
        countOf(links.get(link), counts.column, { ...reader, findModel }),
      );
      return [[name, `(${['0', ...parts].join(' + ')})::int`] as const];
    }),
  );
}

function countOf(
  link: EntityLink | undefined,
  column: string | undefined,
  { model, view, findModel }: Reader & { readonly findModel: FindModel },
): readonly string[] {
  const target = findModel(link?.entityType ?? '');
  if (link === undefined || target === undefined) return [];
  const linked = linkedRows(link, { model, target, bound: 'r.id' });
  const isSet = column === undefined ? undefined : isFlagged(link, column);
  const counted = allOf('not t.deleted', linked, isSet, view.rows(target, 't'));
  return [`(select count(*) from ${liveTable(target.name)} t where ${counted})`];
}

/** Returns SQL for a column of the link, which is stored on the side that holds the ids. */
function isFlagged({ heldBy, field }: EntityLink, column: string): string {
  const columns = quotedColumn({ name: `${field}Columns` });
  const row = heldBy === 'self' ? `r.${columns} -> t.id` : `t.${columns} -> r.id`;
  return `(${row} ->> ${quoteText(column)}) = 'true'`;
}
