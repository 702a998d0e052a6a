import type { Attribute } from '../../field/attribute.ts';
import { attributesOf } from '../../field/attributes-of.ts';
import { type FieldDefinition, fieldTypeOf } from '../../field/field-types.ts';
import type { EntityDefinition } from '../definition/entity-definition.ts';

/** An entity definition with everything derived from it, computed once, so that requests only need lookups. */
export interface EntityModel {
  readonly name: string;
  readonly definition: EntityDefinition;
  /** Own fields and system fields, in response order. */
  readonly fields: ReadonlyMap<string, FieldDefinition>;
  /** Every attribute, in response order. */
  readonly attributes: readonly Attribute[];
  readonly attribute: ReadonlyMap<string, Attribute>;
  /** The attributes that have a column, in response order. */
  readonly columns: readonly Attribute[];
}

/** Returns the model of an entity type; undefined if it does not exist. */
export type FindModel = (entityType: string) => EntityModel | undefined;

const ownedFields: Readonly<Record<string, FieldDefinition>> = {
  assignedUser: { type: 'link', entityType: 'User' },
  teams: { type: 'linkMultiple', entityType: 'Team', singleReadOnly: true },
};

const systemFields: Readonly<Record<string, FieldDefinition>> = {
  createdAt: { type: 'datetime', readOnly: true },
  modifiedAt: { type: 'datetime', readOnly: true },
  createdBy: { type: 'link', entityType: 'User', readOnly: true },
  modifiedBy: { type: 'link', entityType: 'User', readOnly: true },
};

/** The plan of the latest merge into the record, and its time. The remaining steps of the merge follow this plan. */
const mergeFields: Readonly<Record<string, FieldDefinition>> = {
  mergePlan: { type: 'secret', readOnly: true },
  mergePlannedAt: { type: 'secret', readOnly: true, isIndexed: true },
};

/** Attributes maintained by Annals. Changes to them never count as changes to the record. */
export const systemAttributes: ReadonlySet<string> = new Set([
  'id',
  'deleted',
  'createdAt',
  'createdById',
  'createdByName',
  'modifiedAt',
  'modifiedById',
  'modifiedByName',
  'versionNumber',
]);

/** Returns the definitions that override fields of every entity type (tasks require an assigned user). */
function overridden({ fields }: EntityDefinition): EntityDefinition['fields'] {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name in ownedFields));
}

export function isMergeable({ isObject, log }: EntityDefinition): boolean {
  return isObject && log === 'records';
}

/**
 * True if deleted records of the type can be restored. Records whose subject is gone, such as a file, cannot be
 * restored; most records of the directory are recreated instead.
 */
export function isRestorable(definition: EntityDefinition): boolean {
  const { isInternal, log, isRestorable: isAllowed = log === 'records' } = definition;
  return isInternal !== true && isAllowed;
}

/** True if deleted records of the type are listed until they are restored. */
export function hasBin({ definition }: EntityModel): boolean {
  return definition.isObject && definition.log === 'records' && isRestorable(definition);
}

export function buildEntityModel(definition: EntityDefinition): EntityModel {
  const fields = new Map(
    Object.entries({
      ...definition.fields,
      ...systemFields,
      ...(definition.isObject ? { ...ownedFields, ...overridden(definition) } : {}),
      ...(isMergeable(definition) ? mergeFields : {}),
      ...(definition.hasStream === true
        ? { isFollowed: { type: 'bool', readOnly: true, notStored: true, singleReadOnly: true } }
        : {}),
    } satisfies Record<string, FieldDefinition>),
  );
  const all = [...fields].flatMap(([name, field]) => attributesOf(name, field));
  // A field from a later version may have an attribute name already used by a custom field, which keeps its column.
  const attributes = [...new Map(all.map((attribute) => [attribute.name, attribute])).values()];
  const ordered = [
    ...attributes.filter(({ name }) => name === 'name'),
    ...attributes.filter(({ name }) => name !== 'name'),
  ];
  return {
    name: definition.name,
    definition,
    fields,
    attributes: ordered,
    attribute: new Map(ordered.map((attribute) => [attribute.name, attribute])),
    columns: ordered.filter(({ stored }) => stored),
  };
}

/** Attributes matched by text search if the definition names none (docs/reference/search.md#text-search). */
const usual = ['name', 'emailAddress'];

export function textFilterFields({ definition, fields }: EntityModel): readonly string[] {
  if (definition.textFilterFields !== undefined) return definition.textFilterFields;
  // Skips the first part of a composed name, because matching the beginning of the name already covers it.
  const title = fields.get('name');
  const [first, ...others] = (title && fieldTypeOf(title).composedOf?.('name')) ?? [];
  const isLastFirst = title?.format?.startsWith('last') === true;
  if (isLastFirst && first !== undefined) others.unshift(first);
  return [...usual.filter((field) => fields.has(field)), ...others];
}
