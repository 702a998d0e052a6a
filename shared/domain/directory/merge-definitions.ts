import type { EntityDefinition, LinkDefinition } from '../entity/entity-definition.ts';
import { isSortable } from '../entity/sortable-fields.ts';
import { templateOf } from '../entity/templates.ts';
import type { FieldDefinition } from '../field/field-definition.ts';
import { linkedTypesOf } from '../field/field-types.ts';
import type { AttributeValues } from '../record/attribute-values.ts';
import type { RecordState } from '../record/record-state.ts';

type Fields = EntityDefinition['fields'];
type Links = NonNullable<EntityDefinition['links']>;

/**
 * The entity types there are: those that Annals ships with what the log adds to them, then those that only the log has.
 * What two types have to agree on stands in one of them, and the other follows from it here: a link is never there on
 * one side alone.
 */
export function mergeDefinitions(
  stock: readonly EntityDefinition[],
  logged: readonly RecordState[],
): readonly EntityDefinition[] {
  const merged = new Map(stock.map((definition) => [definition.name, definition]));
  for (const record of logged) {
    if (record.deleted) continue;
    const shipped = merged.get(record.id);
    merged.set(
      record.id,
      shipped === undefined ? customDefinition(record) : extended(shipped, record),
    );
  }
  return withParents(withFarSides(merged));
}

function extended(shipped: EntityDefinition, { values }: RecordState): EntityDefinition {
  return {
    ...shipped,
    fields: mergeFields(shipped.fields, values),
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
    isCustom: true,
    template: String(values['template']),
    hasStream: values['stream'] === true,
    name,
    fields,
    links: { ...template?.links, ...linksIn(values) },
  };
}

/** A field in the log takes the place of a shipped one; without a type it is laid over that. */
function mergeFields(shipped: Fields, values: AttributeValues): Fields {
  const logged = fieldsIn(values, 'fields');
  const removed = fieldsIn(values, 'removedFields');
  const merged: Record<string, FieldDefinition> = {};
  for (const [name, field] of Object.entries(shipped)) {
    // A column of that name may be there already, of another type, with what people had put into a field of their own.
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

/** A list has an order even when the field that it was sorted by is gone. */
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

/** A link as the entity type on its other side has it. */
interface FarSide {
  readonly target: string;
  readonly name: string;
  readonly link: LinkDefinition;
  readonly isCustom: boolean;
}

/** Links name their other side where their ids stand. */
function withFarSides(definitions: Definitions): Definitions {
  const sides = [...definitions.values()].flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, held]) => farSidesOf(name, field, held)),
  );
  const byTarget = Map.groupBy(sides, ({ target }) => target);
  const found = [...definitions].map(([name, definition]) => {
    const { linkOrder = [] } = definition;
    const derived = inOrder(byTarget.get(name) ?? [], linkOrder).map((one) => [one.name, one.link]);
    const links = { ...Object.fromEntries(derived), ...standingLinks(definition, definitions) };
    return [name, { ...definition, links }] as const;
  });
  return new Map(found);
}

/** One for each entity type on the other side that has a name for the link. */
function farSidesOf(holder: string, field: string, held: FieldDefinition): readonly FarSide[] {
  const { foreign: name, foreignLabel: label, foreignKeepsLinked: keepsLinked } = held;
  if (name === undefined) return [];
  const link = {
    entityType: holder,
    foreign: field,
    ...(label && { label }),
    ...(keepsLinked && { keepsLinked }),
  };
  const isCustom = held.isCustom === true;
  const targets = held.foreignEntityList ?? linkedTypesOf(held);
  return targets.map((target) => ({ target, name, link, isCustom }));
}

/** Custom links come first: of two of one name the shipped one counts. */
function inOrder(sides: readonly FarSide[], order: readonly string[]): readonly FarSide[] {
  const place = ({ name, isCustom }: FarSide) => {
    const index = order.indexOf(name);
    if (isCustom) return -1;
    return index === -1 ? order.length : index;
  };
  return sides.toSorted((one, other) => place(one) - place(other));
}

/**
 * Without what names a field that is not there, or that names its other side itself: links whose halves were written
 * one after the other, as version 0.1 did.
 */
function standingLinks({ links = {} }: EntityDefinition, definitions: Definitions): Links {
  return Object.fromEntries(
    Object.entries(links).filter(([, { entityType, foreign }]) => {
      const field = definitions.get(entityType)?.fields[foreign];
      return field !== undefined && (field.isCustom !== true || field.foreign === undefined);
    }),
  );
}

/** Whoever lists records as their children may be their parent. */
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
