import type { EntityDefinition, LinkDefinition } from '../entity/definition/entity-definition.ts';
import { templateOf } from '../entity/stock/templates.ts';
import { type FieldDefinition, fieldTypeOf, linkedTypesOf } from '../field/field-types.ts';
import type { PersonNameFormat } from '../field/types/contact/person-name.ts';
import type { RecordState } from '../record/record-state.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { mapValues } from '../value/map-values.ts';

type Fields = EntityDefinition['fields'];
type Links = NonNullable<EntityDefinition['links']>;

/**
 * Returns all entity types: first the shipped types with the changes from the log, then the custom types. A link is
 * stored in one entity type and derived here for the other, so that no link exists on only one side.
 */
export function mergeDefinitions(
  stock: readonly EntityDefinition[],
  logged: readonly RecordState[],
  personNameFormat?: PersonNameFormat,
): readonly EntityDefinition[] {
  const merged = new Map(stock.map((definition) => [definition.name, definition]));
  for (const record of logged) {
    if (record.deleted) continue;
    const shipped = merged.get(record.id);
    merged.set(
      record.id,
      shipped === undefined || isCreatedBefore(record)
        ? customDefinition(record)
        : extended(shipped, record),
    );
  }
  const definitions = withParents(withFarSides(merged));
  return personNameFormat === undefined
    ? definitions
    : definitions.map((definition) => withFormat(definition, personNameFormat));
}

/** Applies the installation's name format to person names without a specific format. */
function withFormat(definition: EntityDefinition, format: PersonNameFormat): EntityDefinition {
  const fields = mapValues(definition.fields, (field) =>
    field.type === 'personName' ? { format, ...field } : field,
  );
  return { ...definition, fields };
}

/**
 * True if administrators created the type before Annals shipped one of the same name; it keeps its fields and records.
 * The log record of an extended shipped type has no template.
 */
function isCreatedBefore({ values }: RecordState): boolean {
  return typeof values['template'] === 'string';
}

function extended(shipped: EntityDefinition, { values }: RecordState): EntityDefinition {
  return {
    ...shipped,
    fields: mergeFields(shipped.fields, values),
    removedFields: fieldsIn(values, 'removedFields'),
    links: { ...shipped.links, ...linksIn(values) },
  };
}

function customDefinition({ id: name, values }: RecordState): EntityDefinition {
  const template = templateOf(String(values['template']));
  const fields = mergeFields(template?.fields ?? {}, values);
  return {
    log: 'records',
    isObject: true,
    ...template,
    ...usualOrder(values, fields),
    ...(values['optimisticConcurrencyControl'] === true ? { hasVersionNumber: true } : {}),
    ...searchedFields(values, fields),
    ...labelsIn(values),
    isCustom: true,
    template: String(values['template']),
    hasStream: values['stream'] === true,
    name,
    fields,
    removedFields: fieldsIn(values, 'removedFields'),
    links: { ...template?.links, ...linksIn(values) },
  };
}

function labelsIn({ label, labelPlural }: AttributeValues): Partial<EntityDefinition> {
  return {
    ...(typeof label === 'string' && label !== '' && { label }),
    ...(typeof labelPlural === 'string' && labelPlural !== '' && { labelPlural }),
  };
}

/**
 * A field in the log replaces the shipped field. A field without a type in the log only overrides settings of the
 * shipped field.
 */
function mergeFields(shipped: Fields, values: AttributeValues): Fields {
  const logged = fieldsIn(values, 'fields');
  const removed = fieldsIn(values, 'removedFields');
  const merged: Record<string, FieldDefinition> = {};
  for (const [name, field] of Object.entries(shipped)) {
    // The column may already exist with another type and contain the values of a removed custom field of the same name.
    const before = Object.hasOwn(removed, name) ? removed[name] : undefined;
    if (before === undefined || before.type === field.type) merged[name] = field;
  }
  for (const [name, field] of Object.entries(logged)) {
    if (field.type !== undefined) merged[name] = field;
    else if (Object.hasOwn(merged, name)) merged[name] = Object.assign({}, merged[name], field);
  }
  return merged;
}

function fieldsIn(values: AttributeValues, attribute: 'fields' | 'removedFields'): Fields {
  return Object(values[attribute] ?? {});
}

function linksIn(values: AttributeValues): Links {
  return Object(values['links'] ?? {});
}

/** Returns the default list order. Falls back to the newest records first if the sort field no longer exists. */
function usualOrder(
  { sortBy, sortDirection }: AttributeValues,
  fields: Fields,
): { readonly orderBy: string; readonly order: 'asc' | 'desc' } {
  const isKnown = typeof sortBy === 'string' && isSortable(sortBy, fields);
  const order = sortDirection === 'asc' ? 'asc' : 'desc';
  return isKnown ? { orderBy: sortBy, order } : { orderBy: 'createdAt', order };
}

function searchedFields(
  { textFilterFields }: AttributeValues,
  fields: Fields,
): Partial<EntityDefinition> {
  if (!Array.isArray(textFilterFields)) return {};
  const known = textFilterFields.map(String).filter((name) => Object.hasOwn(fields, name));
  return known.length === 0 ? {} : { textFilterFields: known };
}

type Definitions = ReadonlyMap<string, EntityDefinition>;

/** A link as seen from the entity type on its other side. */
interface FarSide {
  readonly target: string;
  readonly name: string;
  readonly link: LinkDefinition;
  readonly isCustom: boolean;
}

/** Adds the far sides of links. A link's far side is declared on the field that stores its ids. */
function withFarSides(definitions: Definitions): Definitions {
  const sides = [...definitions.values()].flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, held]) => farSidesOf(name, field, held)),
  );
  const byTarget = Map.groupBy(sides, ({ target }) => target);
  const found = [...definitions].map(([name, definition]) => {
    const { linkOrder = [] } = definition;
    // A custom link keeps its name if it existed before Annals shipped a link of the same name.
    const isFree = (one: FarSide) => one.isCustom || definition.fields[one.name]?.isCustom !== true;
    const derived = inOrder((byTarget.get(name) ?? []).filter(isFree), linkOrder).map((one) => [
      one.name,
      one.link,
    ]);
    const links = { ...Object.fromEntries(derived), ...standingLinks(definition, definitions) };
    return [name, { ...definition, links }] as const;
  });
  return new Map(found);
}

/** Returns the far side for each entity type at the other end that has a name for the link. */
function farSidesOf(holder: string, field: string, held: FieldDefinition): readonly FarSide[] {
  const { foreign, foreignOf = {}, foreignLabel: label, foreignKeepsLinked: keepsLinked } = held;
  if (foreign === undefined) return [];
  const link = {
    entityType: holder,
    foreign: field,
    ...(label && { label }),
    ...(keepsLinked && { keepsLinked }),
  };
  const isCustom = held.isCustom === true;
  const targets = held.foreignEntityList ?? linkedTypesOf(held);
  return targets.map((target) => ({ target, name: foreignOf[target] ?? foreign, link, isCustom }));
}

/** Puts custom links first: later entries win, so a shipped link overrides a custom one of the same name. */
function inOrder(sides: readonly FarSide[], order: readonly string[]): readonly FarSide[] {
  const place = ({ name, isCustom }: FarSide) => {
    const index = order.indexOf(name);
    if (isCustom) return -1;
    return index === -1 ? order.length : index;
  };
  return sides.toSorted((one, other) => place(one) - place(other));
}

/**
 * Drops links whose field does not exist, and links whose field declares its far side itself. Version 0.1 wrote the two
 * halves of a link separately.
 */
function standingLinks({ links = {} }: EntityDefinition, definitions: Definitions): Links {
  return Object.fromEntries(
    Object.entries(links).filter(([, { entityType, foreign }]) => {
      const field = definitions.get(entityType)?.fields[foreign];
      return field !== undefined && (field.isCustom !== true || field.foreign === undefined);
    }),
  );
}

/** Adds entity types that list records as children to the allowed parents of those records. */
function withParents(definitions: Definitions): readonly EntityDefinition[] {
  const parents = new Map<string, string[]>();
  for (const { name, links = {} } of definitions.values()) {
    for (const { entityType, foreign } of Object.values(links)) {
      const key = `${entityType}.${foreign}`;
      parents.set(key, [...(parents.get(key) ?? []), name]);
    }
  }
  return [...definitions.values()].map((definition) => {
    const widened = Object.entries(definition.fields).flatMap(([field, held]) => {
      const more = parents.get(`${definition.name}.${field}`);
      if (held.entityList === undefined || more === undefined) return [];
      const entityList = [...new Set([...held.entityList, ...more])];
      return [[field, { ...held, entityList }] as const];
    });
    return { ...definition, fields: { ...definition.fields, ...Object.fromEntries(widened) } };
  });
}

/** Sortable in every entity type that is an object. */
const always: ReadonlySet<string> = new Set(['createdAt', 'modifiedAt', 'assignedUser']);

/** True if the field can be the default sort field of the entity type's lists. */
export function isSortable(name: string, fields: EntityDefinition['fields']): boolean {
  if (always.has(name)) return true;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field !== undefined && field.notStored !== true && fieldTypeOf(field).isUnordered !== true;
}
