import type { ColumnDefinition } from '../entity/entity-definition.ts';
import type { EntityModel } from '../entity/entity-model.ts';
import type { AttributeValue, AttributeValues } from './attribute-values.ts';

/**
 * Keeps the columns of links to many in step with their ids: each linked record has every column, the given ones over
 * those it had; what is not linked has none. `after` are the values to be written, ids and columns as they are given.
 */
export function withLinkColumns(
  model: EntityModel,
  current: AttributeValues,
  after: AttributeValues,
): AttributeValues {
  let adjusted = after;
  for (const [field, { columns }] of model.fields) {
    if (columns === undefined) continue;
    const names = { ids: `${field}Ids`, columns: `${field}Columns` };
    if (after[names.ids] === undefined && after[names.columns] === undefined) continue;
    const ids = adjusted[names.ids] ?? current[names.ids] ?? [];
    const before = toRows(current[names.columns]);
    const given = toRows(adjusted[names.columns]);
    const rows = (Array.isArray(ids) ? ids : []).map((id) => {
      const row = { ...emptyRow(columns), ...before[String(id)], ...given[String(id)] };
      return [String(id), row] as const;
    });
    adjusted = { ...adjusted, [names.columns]: Object.fromEntries(rows) };
  }
  return adjusted;
}

/** The columns of a link that nobody gave any. */
export function emptyRow(columns: Readonly<Record<string, ColumnDefinition>>): AttributeValues {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      column.default ?? (column.type === 'bool' ? false : null),
    ]),
  );
}

/** By id. */
export function toRows(
  value: AttributeValue | undefined,
): Readonly<Record<string, AttributeValues>> {
  return Object(value);
}
