import { allOf } from '../../../shared/db/sql/conditions.ts';
import { valueColumn } from '../../../shared/db/sql/value-column.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import type { RecordView } from '../../../shared/search/record-view.ts';

export type Through = NonNullable<Attribute['through']>;

/** SQL for an attribute of a row under an alias. */
type ColumnSql = (model: EntityModel, attribute: Attribute, alias: string) => string | undefined;

export type LinkedTables = ReturnType<typeof createLinkedTables>;

/**
 * Collects the left joins for a statement: one per link, shared by all attributes that come through the link. `from` is
 * the alias of the table with the ids. Values of records that the view hides are null.
 */
export function createLinkedTables(from: string, findModel: FindModel, { rows }: RecordView) {
  const joins = new Map<string, string>();

  return {
    /** Returns SQL, by default for the value; undefined if the linked type lacks that column. */
    column(
      { link, idAttribute, entityType, attribute }: Through,
      toSql: ColumnSql = (_model, column, alias) => valueColumn(column, alias),
    ): string | undefined {
      const target = findModel(entityType);
      const column = target?.columns.find(({ name }) => name === attribute);
      if (target === undefined || column === undefined || column.isSecret) return undefined;
      const alias = `"${from}.${link}"`;
      const table = liveTable(target.name);
      const id = `"${from}".${quotedColumn({ name: idAttribute })}`;
      const isLinked = allOf(`${alias}.id = ${id}`, rows(target, alias));
      joins.set(link, `left join ${table} ${alias} on ${isLinked}`);
      return toSql(target, column, alias);
    },
    joins: () => [...joins.values()].join(' '),
  };
}
