import { liveTable, quotedColumn } from '../../db/tables/read-model-names.ts';
import { mayReadField } from '../../domain/access/actor.ts';
import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import { fieldTypeOf } from '../../domain/field/field-types.ts';
import type { WhereContext } from './where-context.ts';

/**
 * Returns SQL conditions over `alias`, a row of the other side's table, for a link to one whose ids the other side holds.
 * They match the newest readable row with the record's id, which is the one that records show. Undefined for other links.
 */
export function linkedOneRows(
  link: string,
  { model: target, alias }: { readonly model: EntityModel; readonly alias: string },
  { actor, model, view, alias: record }: WhereContext,
): readonly string[] | undefined {
  const field = model.fields.get(link);
  if (field?.foreign === undefined || fieldTypeOf(field).relation !== 'hasOne') return undefined;
  const { foreign } = field;
  if (!mayReadField(actor, target, foreign)) return ['false'];
  const column = quotedColumn({ name: `${foreign}Id` });
  const open = (one: string) => `not ${one}.deleted and ${view.rows(target, one) ?? 'true'}`;
  const newer = '"newer"';
  return [
    `${alias}.${column} = ${record}.id`,
    open(alias),
    `not exists (select 1 from ${liveTable(target.name)} ${newer}` +
      ` where ${newer}.${column} = ${alias}.${column} and ${newer}.id > ${alias}.id and ${open(newer)})`,
  ];
}
