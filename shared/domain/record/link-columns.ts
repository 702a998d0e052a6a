import type { EntityModel } from '../entity/model/entity-model.ts';
import { perModel } from '../entity/model/per-model.ts';
import type { ColumnDefinition } from '../field/types/link/link-column.ts';
import {
  type AttributeValue,
  type AttributeValues,
  sameValue,
  toObject,
} from '../value/attribute-values.ts';
import { mapValues } from '../value/map-values.ts';
import { idsIn } from './ids-in.ts';

/**
 * Keeps the columns of multiple links consistent with their ids: each linked record gets every column, values in
 * `after` override current ones, and unlinked records lose theirs. `after` contains ids and columns as sent by the
 * client.
 */
export function withLinkColumns(
  model: EntityModel,
  current: AttributeValues,
  after: AttributeValues,
): AttributeValues {
  let adjusted = after;
  for (const { idsName, columnsName, columns } of linksWithColumns(model)) {
    if (after[idsName] === undefined && after[columnsName] === undefined) continue;
    const ids = idsIn(adjusted[idsName] ?? current[idsName]);
    if (ids.length === 0 && sameValue(adjusted[columnsName], {})) continue;
    const before = toRows(current[columnsName]);
    const given = toRows(adjusted[columnsName]);
    const rows = ids.map(
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

/** Returns the default values of a link's columns. */
export function emptyRow(columns: Readonly<Record<string, ColumnDefinition>>): AttributeValues {
  return mapValues(columns, (column) => column.default ?? (column.type === 'bool' ? false : null));
}

/** Returns the rows of a columns attribute, keyed by record id. */
export function toRows(
  value: AttributeValue | undefined,
): Readonly<Record<string, AttributeValues>> {
  return mapValues(toObject(value), (row) => toObject(row));
}
