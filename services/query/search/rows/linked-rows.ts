import { anyIn } from '../../../../shared/db/sql/any-in.ts';
import { liveTable, quotedColumn } from '../../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import type { EntityLink } from '../../../../shared/domain/entity/model/links.ts';
import type { Binder } from '../../../../shared/search/where/binder.ts';

/** SQL over `t`, a row of the other side's table, that is true for records linked with the record of a bound id. */
export function linkedRows(
  { heldBy, field, type, foreign }: EntityLink,
  {
    model,
    target,
    bound,
  }: { readonly model: EntityModel; readonly target: EntityModel; readonly bound: string },
  binder: Binder,
): string {
  if (type === 'hasOne' && foreign !== undefined) {
    return `t.${quotedColumn({ name: `${foreign}Id` })} = ${bound}`;
  }
  if (heldBy === 'self') {
    const column = columnOf(model, field);
    const ids = type === 'belongsTo' || type === 'hasOne' ? `s.${column}` : `unnest(s.${column})`;
    return `t.id in (select ${ids} from ${liveTable(model.name)} s where s.id = ${bound})`;
  }
  if (type === 'hasChildren') {
    const parentType = quotedColumn({ name: `${field}Type` });
    return `(t.${quotedColumn({ name: `${field}Id` })} = ${bound} and t.${parentType} = ${binder.bind(model.name)}::text)`;
  }
  const column = `t.${columnOf(target, field)}`;
  return target.attribute.has(`${field}Ids`)
    ? anyIn(column, `@> array[${bound}]`)
    : `${column} = ${bound}`;
}

function columnOf({ attribute }: EntityModel, field: string): string {
  return quotedColumn({ name: attribute.has(`${field}Ids`) ? `${field}Ids` : `${field}Id` });
}
