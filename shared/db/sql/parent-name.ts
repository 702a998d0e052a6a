import type { EntityModel, FindModel } from '../../domain/entity/model/entity-model.ts';
import type { Attribute } from '../../domain/field/attribute.ts';
import { liveTable, quotedColumn } from '../tables/read-model-names.ts';
import { allOf } from './conditions.ts';

/**
 * Returns SQL for the name of a row's parent, looked up in the table of the parent's entity type, if that type is
 * allowed. `readable` returns SQL over a row there; undefined if every row may be shown, null if no row may be shown.
 */
export function parentName(
  { idAttribute, typeAttribute, entityTypes }: NonNullable<Attribute['parent']>,
  row: string,
  {
    findModel,
    readable,
  }: {
    readonly findModel: FindModel;
    readonly readable: (target: EntityModel, alias: string) => string | null | undefined;
  },
): string {
  const id = `${row}.${quotedColumn({ name: idAttribute })}`;
  const cases = entityTypes.flatMap((type) => {
    const target = findModel(type);
    if (target?.attribute.get('name')?.stored !== true) return [];
    const condition = readable(target, 'p');
    if (condition === null) return [];
    const table = liveTable(target.name);
    const literal = `'${target.name.replaceAll("'", "''")}'`;
    return [
      `when ${literal} then (select p.name from ${table} p where ${allOf(`p.id = ${id}`, condition)})`,
    ];
  });
  const type = `${row}.${quotedColumn({ name: typeAttribute })}`;
  return cases.length === 0 ? 'null::text' : `(case ${type} ${cases.join(' ')} end)`;
}
