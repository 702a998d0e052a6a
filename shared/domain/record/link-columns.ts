import type { EntityModel } from '../entity/model/entity-model.ts';
import { perModel } from '../entity/model/per-model.ts';
import type { ColumnDefinition } from '../field/types/link/link-column.ts';
import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';
import { mapValues } from '../value/map-values.ts';
import { idsIn } from './ids-in.ts';

/**
 * Keeps the columns of links to many consistent with their ids: each linked record has every column, where given values
 * override present ones; unlinked records have none. `after` are the values to be written, with ids and columns as
 * given.
 */
export function withLinkColumns(
  model: EntityModel,
  current: AttributeValues,
  after: AttributeValues,
): AttributeValues {
  let adjusted = after;
  for (const { idsName, columnsName, columns } of linksWithColumns(model)) {
    if (after[idsName] === undefined && after[columnsName] === undefined) continue;
    const before = toRows(current[columnsName]);
    const given = toRows(adjusted[columnsName]);
    const rows = idsIn(adjusted[idsName] ?? current[idsName]).map(
      (id) => [id, { ...emptyRow(columns), ...before[id], ...given[id] }] as const,
    );
    adjusted = { ...adjusted, [columnsName]: Object.fromEntries(rows) };
  }
  return adjusted;
}

const linksWithColumns = perModel(({ fields }) =>
  [...fields].flatMap(([field, { columns }]) =>
    columns === undefined
      ? []
      : [{ columns, idsName: `${field}Ids`, columnsName: `${field}Columns` }],
  ),
);

/** The columns of a link that none were given for. */
export function emptyRow(columns: Readonly<Record<string, ColumnDefinition>>): AttributeValues {
  return mapValues(columns, (column) => column.default ?? (column.type === 'bool' ? false : null));
}

/** By id. */
export function toRows(
  value: AttributeValue | undefined,
): Readonly<Record<string, AttributeValues>> {
  return Object(value);
}
