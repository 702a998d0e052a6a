import type { Pool } from 'pg';
import type { EntityModel } from '../domain/entity/entity-model.ts';
import type { AttributeValue } from '../domain/record/attribute-values.ts';
import type { RecordState } from '../domain/record/record-state.ts';
import { liveSchema, quotedColumn, quotedTable, quoteName } from './read-model-names.ts';

interface StateRow {
  readonly id: string;
  readonly version: number;
  readonly deleted: boolean;
  readonly [attribute: string]: AttributeValue;
}

/**
 * A record as the read model has it, deleted ones included, with the names that stand beside its links in record
 * events; undefined if there is none. `models` tells the entity types of links.
 */
export async function readRecordState(
  pool: Pool,
  { model, id }: { readonly model: EntityModel; readonly id: string },
  models: (entityType: string) => EntityModel | undefined,
): Promise<RecordState | undefined> {
  const text = selectState(model, models);
  const name = `state_${model.name}_${model.columns.length}`;
  const { rows } = await pool.query<StateRow>({ name, text, values: [id] });
  const [row] = rows;
  if (row === undefined) return undefined;
  const { version, deleted, ...values } = row;
  return { entityType: model.name, id, version, deleted, values };
}

function selectState(
  model: EntityModel,
  models: (entityType: string) => EntityModel | undefined,
): string {
  const columns = model.columns.map(
    (attribute) => `row.${quotedColumn(attribute)} as ${quoteName(attribute.name)}`,
  );
  const linked = model.attributes.flatMap((attribute) => {
    const { through, kind } = attribute;
    const target = through === undefined ? undefined : models(through.entityType);
    if (through === undefined || target?.definition.log !== 'records' || kind !== 'string')
      return [];
    const source = quotedTable(liveSchema, target.name);
    const column = quotedColumn({ name: through.attribute });
    const idColumn = quotedColumn({ name: through.idAttribute });
    return [
      `(select ${column} from ${source} linked where linked.id = row.${idColumn}) as ${quoteName(attribute.name)}`,
    ];
  });
  const selected = ['row.id', 'row.version', 'row.deleted', ...columns, ...linked];
  return `select ${selected.join(', ')} from ${quotedTable(liveSchema, model.name)} row where row.id = $1`;
}
