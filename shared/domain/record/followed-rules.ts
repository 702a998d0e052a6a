import type { EntityModel } from '../entity/model/entity-model.ts';
import { perModel } from '../entity/model/per-model.ts';
import type { ColumnDefinition } from '../field/types/link/link-column.ts';
import { type AttributeValue, type AttributeValues, toObject } from '../value/attribute-values.ts';
import { formatDateTime } from '../value/date-time.ts';
import { idsIn } from './ids-in.ts';
import { emptyRow, toRows, withLinkColumns } from './link-columns.ts';

export interface Writing {
  /** Current values of the record; empty for a new record. */
  readonly current: AttributeValues;
  /** The values to be written, with links resolved. */
  readonly after: AttributeValues;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Applies the definition's rules (primary links, link columns, stamps) to the values to be written. */
export function withFollowedRules(
  model: EntityModel,
  { current, after, now }: Writing,
): AttributeValues {
  const linked = withLinkColumns(model, current, withPrimaryLinks(model, current, after));
  const mirrored = withPrimaryColumns(model, current, linked);
  return withStamps(model, current, { after: mirrored, now });
}

/** Records the time when an attribute gets the value that the definition names (`convertedAt` of a lead). */
function withStamps(
  model: EntityModel,
  current: AttributeValues,
  { after, now }: { readonly after: AttributeValues; readonly now: number },
): AttributeValues {
  let stamped = after;
  for (const [field, { attribute, value, isCleared = false }] of stampedFields(model)) {
    const next = after[attribute];
    if (next === undefined || next === current[attribute]) continue;
    if (next === value) stamped = { ...stamped, [field]: formatDateTime(now) };
    else if (isCleared && current[field] !== undefined) stamped = { ...stamped, [field]: null };
  }
  return stamped;
}

const stampedFields = perModel(({ fields }) =>
  [...fields].flatMap(([field, { stampedWhen }]) =>
    stampedWhen === undefined ? [] : [[field, stampedWhen] as const],
  ),
);

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
function withPrimaryColumns(
  model: EntityModel,
  current: AttributeValues,
  after: AttributeValues,
): AttributeValues {
  return mirrorsOf(model).reduce(
    (adjusted, mirror) => withMirroredColumn(mirror, current, adjusted),
    after,
  );
}

const mirrorsOf = perModel(({ fields }): readonly Mirror[] =>
  [...fields].flatMap(([field, { primaryOf: many = '', primaryColumns = {} }]) =>
    Object.entries(primaryColumns).map(([column, attribute]) => {
      const definitions = fields.get(many)?.columns ?? {};
      return { attribute, column, id: `${field}Id`, columns: `${many}Columns`, definitions };
    }),
  ),
);

function withMirroredColumn(
  mirror: Mirror,
  current: AttributeValues,
  after: AttributeValues,
): AttributeValues {
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

/**
 * Keeps a primary link and its multiple link consistent (docs/reference/espocrm-compatibility.md#primary-links). `after`
 * contains the values to be written.
 */
export function withPrimaryLinks(
  model: EntityModel,
  current: AttributeValues,
  after: AttributeValues,
): AttributeValues {
  return primaryLinks(model).reduce(
    (adjusted, link) => withJoinedPrimary(link, current, adjusted),
    after,
  );
}

/** The attributes of a primary link and of its multiple link. */
interface PrimaryLink {
  readonly id: string;
  readonly name: string;
  readonly ids: string;
  readonly names: string;
}

const primaryLinks = perModel(({ fields }): readonly PrimaryLink[] =>
  [...fields].flatMap(([field, { primaryOf: many }]) =>
    many === undefined
      ? []
      : [{ id: `${field}Id`, name: `${field}Name`, ids: `${many}Ids`, names: `${many}Names` }],
  ),
);

function withJoinedPrimary(
  link: PrimaryLink,
  current: AttributeValues,
  after: AttributeValues,
): AttributeValues {
  const { id, name, ids, names } = link;
  const isGiven = after[id] !== undefined && after[id] !== (current[id] ?? null);
  if (isGiven) return joined(link, current, after);
  if (after[ids] === undefined) return after;
  const primary = current[id];
  const left = idsIn(after[ids]);
  if (typeof primary === 'string' && left.includes(primary)) return after;
  // A removed primary link is not replaced. If it was not set before, the first remaining link becomes primary.
  const next = typeof primary === 'string' ? undefined : left[0];
  const known = toObject(after[names] ?? current[names]);
  const nextName = next === undefined ? null : (known[next] ?? null);
  return { ...after, [id]: next ?? null, [name]: nextName };
}

/** Adds the primary link to its multiple link. */
function joined(
  { id, name, ids, names }: PrimaryLink,
  current: AttributeValues,
  after: AttributeValues,
): AttributeValues {
  const primary = after[id];
  const linked = idsIn(after[ids] ?? current[ids]);
  if (typeof primary !== 'string' || linked.includes(primary)) return after;
  const known = toObject(after[names] ?? current[names]);
  const all = { ...known, [primary]: after[name] ?? null };
  return { ...after, [ids]: [...linked, primary], [names]: all };
}
