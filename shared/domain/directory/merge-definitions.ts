import type { EntityDefinition, LinkDefinition } from '../entity/definition/entity-definition.ts';
import { isSortable } from '../entity/definition/sortable-fields.ts';
import { templateOf } from '../entity/stock/templates.ts';
import type { FieldDefinition } from '../field/field-definition.ts';
import { linkedTypesOf } from '../field/field-types.ts';
import type { PersonNameFormat } from '../field/types/contact/person-name.ts';
import type { RecordState } from '../record/record-state.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { mapValues } from '../value/map-values.ts';

type Fields = EntityDefinition['fields'];
type Links = NonNullable<EntityDefinition['links']>;

/**
 * All entity types: the shipped ones with what the log adds to them, then those that only the log has. A link is stored
 * with one entity type and derived for the other here, so it never exists on one side alone.
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

/** The format of the installation, for names of persons that have no other one. */
function withFormat(definition: EntityDefinition, format: PersonNameFormat): EntityDefinition {
  const fields = mapValues(definition.fields, (field) =>
    field.type === 'personName' ? { format, ...field } : field,
  );
  return { ...definition, fields };
}

/**
 * True for a type that administrators created before Annals shipped one of the same name: it keeps its fields and its
 * records. The record of an extended shipped type has no template.
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

function labelsIn({
  label,
  labelPlural,
}: AttributeValues): Pick<EntityDefinition, 'label' | 'labelPlural'> {
  return {
    ...(typeof label === 'string' && label !== '' && { label }),
    ...(typeof labelPlural === 'string' && labelPlural !== '' && { labelPlural }),
  };
}

/** A field in the log replaces a shipped one. One without a type only overrides settings of it. */
function mergeFields(shipped: Fields, values: AttributeValues): Fields {
  const logged = fieldsIn(values, 'fields');
  const removed = fieldsIn(values, 'removedFields');
  const merged: Record<string, FieldDefinition> = {};
  for (const [name, field] of Object.entries(shipped)) {
    // The column may exist already, with another type, and hold values of a custom field of that name.
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

/** The default order of a list, also if the field that it was sorted by is gone. */
function usualOrder(
  { sortBy, sortDirection }: AttributeValues,
  fields: Fields,
): Pick<EntityDefinition, 'orderBy' | 'order'> {
  const isKnown = typeof sortBy === 'string' && isSortable(sortBy, fields);
  const order = sortDirection === 'asc' ? 'asc' : 'desc';
  return isKnown ? { orderBy: sortBy, order } : { orderBy: 'createdAt', order };
}

function searchedFields(
  { textFilterFields }: AttributeValues,
  fields: Fields,
): Pick<EntityDefinition, 'textFilterFields'> {
  if (!Array.isArray(textFilterFields)) return {};
  const known = textFilterFields.map(String).filter((name) => Object.hasOwn(fields, name));
  return known.length === 0 ? {} : { textFilterFields: known };
}

type Definitions = ReadonlyMap<string, EntityDefinition>;

/** A link as the entity type on its other side sees it. */
interface FarSide {
  readonly target: string;
  readonly name: string;
  readonly link: LinkDefinition;
  readonly isCustom: boolean;
}

/** Adds the far sides of links: a link names its other side where its ids stand. */
function withFarSides(definitions: Definitions): Definitions {
  const sides = [...definitions.values()].flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, held]) => farSidesOf(name, field, held)),
  );
  const byTarget = Map.groupBy(sides, ({ target }) => target);
  const found = [...definitions].map(([name, definition]) => {
    const { linkOrder = [] } = definition;
    // A custom link that was there before Annals shipped one of its name keeps the name.
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

/** One for each entity type on the other side that names the link. */
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

/** Custom links come first: of two links of one name the shipped one wins, because it is set last. */
function inOrder(sides: readonly FarSide[], order: readonly string[]): readonly FarSide[] {
  const place = ({ name, isCustom }: FarSide) => {
    const index = order.indexOf(name);
    if (isCustom) return -1;
    return index === -1 ? order.length : index;
  };
  return sides.toSorted((one, other) => place(one) - place(other));
}

/**
 * Drops links to a field that does not exist, and links whose field names its other side itself. Version 0.1 wrote the
 * two halves of a link one after the other.
 */
function standingLinks({ links = {} }: EntityDefinition, definitions: Definitions): Links {
  return Object.fromEntries(
    Object.entries(links).filter(([, { entityType, foreign }]) => {
      const field = definitions.get(entityType)?.fields[foreign];
      return field !== undefined && (field.isCustom !== true || field.foreign === undefined);
    }),
  );
}

/** Entity types that list records as children are added to the parents that these may have. */
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
