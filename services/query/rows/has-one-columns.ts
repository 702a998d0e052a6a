import { allOf } from '../../../shared/db/sql/conditions.ts';
import { valueColumn } from '../../../shared/db/sql/value-column.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import { mayReadField } from '../../../shared/domain/access/actor.ts';
import type { FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import { fieldTypeOf } from '../../../shared/domain/field/field-types.ts';
import type { Reader } from '../../../shared/search/record-view.ts';

interface Reading extends Reader {
  /** The alias of the row from the entity's table. */
  readonly alias: 'r' | 't';
}

/**
 * Returns SQL over a row of the entity's table for to-one links whose ids the other side stores (for example the lead
 * that became an account), by attribute name. Records that the actor may not read count as not linked.
 */
export function hasOneColumns(reading: Reading, findModel: FindModel): ReadonlyMap<string, string> {
  return new Map(
    reading.model.attributes.flatMap((attribute) => {
      const column = oneOf(attribute, reading, findModel);
      return column === undefined ? [] : [[attribute.name, column] as const];
    }),
  );
}

/** The alias of the row on the other side. */
const one = '"one"';

function oneOf(
  { field, through }: Attribute,
  { actor, alias, model, view }: Reading,
  findModel: FindModel,
): string | undefined {
  const definition = model.fields.get(field);
  if (definition?.foreign === undefined) return undefined;
  const { entityType = '', foreign } = definition;
  const target = findModel(entityType);
  const isOne = fieldTypeOf(definition).relation === 'hasOne';
  if (!isOne || target === undefined) return undefined;
  const shown = target.columns.find(({ name }) => name === through?.attribute);
  if (through !== undefined && shown === undefined) return undefined;
  if (!mayReadField(actor, target, foreign)) return 'null::text';
  const value = shown === undefined ? `${one}.id` : valueColumn(shown, one);
  const isHeld = `${one}.${quotedColumn({ name: `${foreign}Id` })} = ${alias}.id`;
  // Chooses the newest if there are several. Sorts with an aggregate, because `limit 1` may make Postgres scan all
  // records in the order of ids.
  return (
    `(select (array_agg(${value} order by ${one}.id desc))[1] from ${liveTable(target.name)} ${one}` +
    ` where ${allOf(`not ${one}.deleted`, isHeld, view.rows(target, one))})`
  );
}
