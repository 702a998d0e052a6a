import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import { mayReadAttribute } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { EntityLink } from '../../../shared/domain/entity/model/links.ts';
import type { Reader } from '../../../shared/search/record-view.ts';
import { quoteText } from '../rows/quote-text.ts';

/**
 * Returns the columns of a link as attributes of the listed record: SQL by attribute name. The SQL is over `r`, a row of the
 * other side, and reads the columns of its link with the record of a bound id.
 */
export function linkColumns(
  { heldBy, field, columns }: EntityLink,
  {
    actor,
    model,
    target,
    bound,
    view,
  }: Reader & { readonly target: EntityModel; readonly bound: string },
): ReadonlyMap<string, string> {
  const holder = heldBy === 'self' ? model : target;
  const held = holder.attribute.get(`${field}Columns`);
  const isClosed =
    held === undefined ||
    !mayReadAttribute(actor, holder, held) ||
    (heldBy === 'other' && !view.isVisible(held));
  const shown = Object.entries(columns ?? {}).flatMap(([name, column]) => {
    const attribute = heldBy === 'self' ? column.attribute : column.foreignAttribute;
    return attribute !== undefined && target.attribute.get(attribute)?.stored === false
      ? [{ name, attribute, isFlag: column.type === 'bool' }]
      : [];
  });
  if (isClosed || shown.length === 0) return new Map();
  const all = quotedColumn(held);
  const row =
    heldBy === 'self'
      ? `(select s.${all} -> r.id from ${liveTable(model.name)} s where s.id = ${bound})`
      : `(r.${all} -> ${bound})`;
  return new Map(
    shown.map(({ name, attribute, isFlag }) => {
      const value = `${row} ->> ${quoteText(name)}`;
      return [attribute, isFlag ? `coalesce((${value})::boolean, false)` : `(${value})`];
    }),
  );
}
