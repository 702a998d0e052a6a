import type { Pool } from 'pg';
import type { EntityModel, FindModel } from '../domain/entity/model/entity-model.ts';
import { perModel } from '../domain/entity/model/per-model.ts';
import type { Attribute } from '../domain/field/attribute.ts';
import type { RecordState } from '../domain/record/record-state.ts';
import type { AttributeValue } from '../domain/value/attribute-values.ts';
import { orUnavailable } from './outage-of.ts';
import { nameStatement } from './pool.ts';
import { parentName } from './sql/parent-name.ts';
import { liveTable, quotedColumn, quoteName } from './tables/read-model-names.ts';

interface StateRow {
  readonly id: string;
  readonly version: number;
  readonly deleted: boolean;
  readonly [attribute: string]: AttributeValue;
}

/**
 * Returns a record from the read model, including a deleted one, with the names of linked records in the format of
 * events; undefined if it does not exist. `models` finds the entity types of links.
 */
export async function readRecordState(
  pool: Pool,
  { model, id }: { readonly model: EntityModel; readonly id: string },
  models: FindModel,
): Promise<RecordState | undefined> {
  const statement = statementFor(model, models);
  const { rows } = await orUnavailable(pool.query<StateRow>({ ...statement, values: [id] }));
  const [row] = rows;
  if (row === undefined) return undefined;
  const { id: _, version, deleted, ...values } = row;
  return { entityType: model.name, id, version, deleted, values };
}

const statementFor = perModel((model, models: FindModel) =>
  nameStatement(selectState(model, models)),
);

function selectState(model: EntityModel, models: FindModel): string {
  const columns = model.columns.map(
    (attribute) => `row.${quotedColumn(attribute)} as ${quoteName(attribute.name)}`,
  );
  const linked = model.attributes.flatMap((attribute) => {
    const names = selectLinked(attribute, models);
    return names === undefined ? [] : [`${names} as ${quoteName(attribute.name)}`];
  });
  const selected = ['row.id', 'row.version', 'row.deleted', ...columns, ...linked];
  return `select ${selected.join(', ')} from ${liveTable(model.name)} row where row.id = $1`;
}

/**
 * Returns SQL for the values on the other side of a link, if that side has a table: a single value or, for a link to
 * many, names by id.
 */
function selectLinked({ through, parent, kind }: Attribute, models: FindModel): string | undefined {
  if (parent !== undefined) {
    return parentName(parent, 'row', { findModel: models, readable: () => undefined });
  }
  const target = through === undefined ? undefined : models(through.entityType);
  if (through === undefined || target?.definition.log !== 'records') return undefined;
  const column = quotedColumn({ name: through.attribute });
  const ids = `row.${quotedColumn({ name: through.idAttribute })}`;
  const source = `${liveTable(target.name)} linked`;
  return kind === 'json'
    ? `(select jsonb_object_agg(linked.id, linked.${column}) from ${source} where linked.id = any(${ids}))`
    : `(select linked.${column} from ${source} where linked.id = ${ids})`;
}
