import { liveSchema, quotedColumn, quotedTable } from '../../../shared/db/read-model-names.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/entity-model.ts';
import { type EntityLink, linksOf } from '../../../shared/domain/entity/links.ts';
import { createBinder } from '../../../shared/search/where/binder.ts';
import { linkedRows } from './linked-rows.ts';
import { quoteText } from './quote-text.ts';

/** SQL over `r`, a row of the entity's table, for fields that count links, by name of the attribute. */
export function linkCounts(model: EntityModel, findModel: FindModel): ReadonlyMap<string, string> {
  const counting = [...model.fields].flatMap(([name, { counts }]) =>
    counts === undefined ? [] : [{ name, counts }],
  );
  const links = linksOf(model, findModel);
  return new Map(
    counting.map(({ name, counts }) => {
      const parts = counts.links.flatMap((link) =>
        countOf(links.get(link), counts.column, { model, findModel }),
      );
      return [name, `(${['0', ...parts].join(' + ')})::int`];
    }),
  );
}

function countOf(
  link: EntityLink | undefined,
  column: string | undefined,
  { model, findModel }: { readonly model: EntityModel; readonly findModel: FindModel },
): readonly string[] {
  const target = findModel(link?.entityType ?? '');
  if (link === undefined || target === undefined) return [];
  // No value is bound here: the record is that of the row.
  const linked = linkedRows(link, { model, target, bound: 'r.id' }, createBinder(0));
  const isSet = column === undefined ? '' : ` and ${isFlagged(link, column)}`;
  return [
    `(select count(*) from ${quotedTable(liveSchema, target.name)} t` +
      ` where not t.deleted and ${linked}${isSet})`,
  ];
}

/** SQL for the column of a link. It stands where the ids stand. */
function isFlagged({ heldBy, field }: EntityLink, column: string): string {
  const columns = quotedColumn({ name: `${field}Columns` });
  const row = heldBy === 'self' ? `r.${columns} -> t.id` : `t.${columns} -> r.id`;
  return `(${row} ->> ${quoteText(column)})::boolean`;
}
