import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { EntityLink } from '../../../shared/domain/entity/model/links.ts';
import { holdsId } from '../../../shared/search/where/linked-elsewhere.ts';

/**
 * Returns SQL over `t`, a row of the other side's table, that is true for records linked with the record whose id is
 * bound.
 */
export function linkedRows(
  link: EntityLink,
  {
    model,
    target,
    bound,
  }: { readonly model: EntityModel; readonly target: EntityModel; readonly bound: string },
): string {
  const { heldBy, field, type, foreign } = link;
  if (type === 'hasOne' && foreign !== undefined) {
    return `t.${quotedColumn({ name: `${foreign}Id` })} = ${bound}`;
  }
  if (heldBy === 'other') return holdsId(link, { model: target, alias: 't' }, { model, id: bound });
  const isMany = model.attribute.has(`${field}Ids`);
  const column = quotedColumn({ name: isMany ? `${field}Ids` : `${field}Id` });
  const ids = type === 'belongsTo' || type === 'hasOne' ? `s.${column}` : `unnest(s.${column})`;
  return `t.id in (select ${ids} from ${liveTable(model.name)} s where s.id = ${bound})`;
}
