import type { EntityModel } from '../entity/model/entity-model.ts';
import { perModel } from '../entity/model/per-model.ts';
import type { ColumnDefinition } from '../field/types/link/link-column.ts';
import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';
import { emptyRow, toRows } from './link-columns.ts';

interface Mirror {
  /** The attribute of the record: `title`. */
  readonly attribute: string;
  /** The column of the multiple link: `role`. */
  readonly column: string;
  readonly id: string;
  readonly columns: string;
  readonly definitions: Readonly<Record<string, ColumnDefinition>>;
}

/**
 * Keeps an attribute and the column of the primary link that it mirrors consistent: a contact's `title` is its `role` at
 * its account. New values win; the attribute takes precedence over the column. If the column of a primary link was never
 * set, it gets the attribute's value. Without a primary link the attribute is independent.
 */
export function withPrimaryColumns(
  model: EntityModel,
  current: AttributeValues,
  after: AttributeValues,
): AttributeValues {
  return mirrorsOf(model).reduce((adjusted, mirror) => inStep(mirror, current, adjusted), after);
}

const mirrorsOf = perModel(({ fields }): readonly Mirror[] =>
  [...fields].flatMap(([field, { primaryOf: many = '', primaryColumns = {} }]) =>
    Object.entries(primaryColumns).map(([column, attribute]) => {
      const definitions = fields.get(many)?.columns ?? {};
      return { attribute, column, id: `${field}Id`, columns: `${many}Columns`, definitions };
    }),
  ),
);

function inStep(mirror: Mirror, current: AttributeValues, after: AttributeValues): AttributeValues {
  const { attribute, id, columns, definitions } = mirror;
  const primary = after[id] === undefined ? current[id] : after[id];
  if (typeof primary !== 'string') return after;
  const given = after[attribute];
  const isGiven = given !== undefined && given !== (current[attribute] ?? null);
  const isSilent = after[columns] === undefined && after[id] === undefined;
  if (!isGiven && isSilent) return after;
  const rows = toRows(after[columns] ?? current[columns]);
  const kept = isGiven ? given : keptValue(mirror, primary, { rows, current });
  const row = { ...emptyRow(definitions), ...rows[primary], [mirror.column]: kept };
  return { ...after, [attribute]: kept, [columns]: { ...rows, [primary]: row } };
}

/** Returns the value of the column, or the attribute's value if the column was never set. */
function keptValue(
  { attribute, column, columns }: Mirror,
  primary: string,
  {
    rows,
    current,
  }: { readonly rows: ReturnType<typeof toRows>; readonly current: AttributeValues },
): AttributeValue {
  const value = rows[primary]?.[column] ?? null;
  const before = toRows(current[columns])[primary]?.[column] ?? null;
  return value === null && before === null ? (current[attribute] ?? null) : value;
}
