import type { Version } from '../../../api/history.ts';
import type { Entity } from '../../../api/metadata.ts';
import { attributesOf, fieldTypeOf } from '../../../fields/field-types.ts';

type Values = Readonly<Record<string, unknown>>;

/** Returns the record's values at a version by applying all changes up to it. `versions` must be in ascending order. */
export function valuesAt(versions: readonly Version[], version: number): Values {
  const values: Record<string, unknown> = {};
  for (const { changes } of versions.filter((one) => one.version <= version)) {
    for (const { attribute, after } of changes) values[attribute] = after;
  }
  return values;
}

export interface Difference {
  /** The name of the field; of the attribute if no field has it. */
  readonly name: string;
  /** The attributes of the field that differ. */
  readonly attributes: readonly string[];
}

/** Returns the fields that differ, sorted by name. Null and absent values are equal. */
export function differences(entity: Entity, before: Values, after: Values): readonly Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const differing = [...names].filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
  const byField = Map.groupBy(differing.toSorted(), (name) => fieldOf(entity, name));
  return [...byField]
    .map(([name, attributes]) => ({ name, attributes }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the field of an attribute, such as `emailAddress` for `emailAddressData`, or else the attribute. */
function fieldOf(entity: Entity, attribute: string): string {
  if (Object.hasOwn(entity.fields, attribute)) return attribute;
  const names = Object.keys(entity.fields);
  const ofType = names.find((name) => attributesOf(entity, name).includes(attribute));
  if (ofType !== undefined) return ofType;
  const prefixes = names.filter(
    (name) => attribute.startsWith(name) && /^[A-Z]/.test(attribute.slice(name.length)),
  );
  return prefixes.toSorted((a, b) => b.length - a.length)[0] ?? attribute;
}

/** Attributes that the server sets, which cannot be restored. */
const isSetByServer = /^(?:id|(?:created|modified)(?:At|By).*|versionNumber|deleted)$/;
/** Names of linked records, which are derived from their ids. */
const isLinkedName = /[a-z]Names?$/;

/** Returns the attributes of a difference that users can set. */
export function settableAttributes(
  entity: Entity,
  { name, attributes }: Difference,
): readonly string[] {
  const field = entity.fields[name];
  const isReadOnly =
    isSetByServer.test(name) ||
    field?.readOnly === true ||
    (field !== undefined && fieldTypeOf(field).composedOf !== undefined);
  if (isReadOnly) return [];
  return attributes.filter((attribute) => attribute === name || !isLinkedName.test(attribute));
}
