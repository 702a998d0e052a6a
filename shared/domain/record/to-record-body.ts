import type { EntityModel } from '../entity/model/entity-model.ts';
import { perModel } from '../entity/model/per-model.ts';
import type { Attribute } from '../field/attribute.ts';
import { asLiteral } from '../value/as-literal.ts';
import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';
import { idsIn } from './ids-in.ts';
import type { RecordState } from './record-state.ts';

/** Returns the name of a record in the directory (a user or team), or undefined. */
export type NameOf = (entityType: string, id: string) => string | undefined;

/** Returns the body of a record for single reads and writes: id, name, deleted, then every attribute including nulls. */
export function toRecordBody(
  model: EntityModel,
  state: RecordState,
  nameOf: NameOf,
): Record<string, AttributeValue> {
  const { values } = state;
  const { blank, own, named } = layoutOf(model);
  const body = { ...blank };
  body['id'] = state.id;
  body['deleted'] = state.deleted;
  for (const name of own) {
    const value = values[name] ?? null;
    if (value !== null) body[name] = value;
  }
  for (const attribute of named) {
    const { name } = attribute;
    const value = values[name] ?? directoryName(attribute, values, nameOf) ?? null;
    if (value !== null) body[name] = value;
  }
  if (model.definition.hasVersionNumber === true) body['versionNumber'] = state.version;
  return body;
}

interface BodyLayout {
  /** An object with all keys in their final order, and with empty values. */
  readonly blank: Record<string, AttributeValue>;
  /** The attributes for names of linked records. */
  readonly named: readonly NameAttribute[];
  /** The names of all other attributes: their values are only in the record. */
  readonly own: readonly string[];
}

interface NameAttribute extends Attribute {
  readonly through: NonNullable<Attribute['through']>;
}

const layoutOf = perModel((model): BodyLayout => {
  const shown = model.attributes.filter(({ isSecret }) => !isSecret);
  const blank: Record<string, AttributeValue> = { id: '' };
  if (model.attribute.has('name')) blank['name'] = null;
  blank['deleted'] = false;
  for (const attribute of shown) blank[attribute.name] = emptyValue(attribute);
  if (model.definition.hasVersionNumber === true) blank['versionNumber'] = 0;
  const named = shown.filter(isName);
  const own = shown.filter((attribute) => !isName(attribute)).map(({ name }) => name);
  return { blank: asLiteral(blank), own, named };
});

function isName(attribute: Attribute): attribute is NameAttribute {
  return attribute.through?.attribute === 'name';
}

/** Returns the value shown when an attribute is empty. Lists, groups and flags are never null in responses. */
export function emptyValue({ kind, name, field, through, isMap }: Attribute): AttributeValue {
  if (kind === 'bool') return false;
  if (kind === 'strings') return [];
  // Groups of e-mail addresses or phone numbers are lists. A JSON field has a single attribute with the field's name.
  if (kind === 'json') return through !== undefined || isMap ? {} : name === field ? null : [];
  return null;
}

/**
 * By attribute: the value that readers assume if an event or row has none. Omits attributes whose empty value is null.
 */
export const emptyValues = perModel((model): AttributeValues => {
  const values = model.attributes.map((attribute) => [attribute.name, emptyValue(attribute)]);
  return Object.fromEntries(values.filter(([, value]) => value !== null));
});

/** Looks up names of users and teams in the directory, because not every event contains them (`createdByName`). */
function directoryName(
  { through }: NameAttribute,
  values: RecordState['values'],
  nameOf: NameOf,
): AttributeValue | undefined {
  const ids = values[through.idAttribute];
  if (typeof ids === 'string') return nameOf(through.entityType, ids);
  if (!Array.isArray(ids)) return undefined;
  return Object.fromEntries(idsIn(ids).map((id) => [id, nameOf(through.entityType, id) ?? null]));
}
