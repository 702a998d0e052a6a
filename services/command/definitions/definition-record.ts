import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { isCustomizable } from '../../../shared/domain/entity/definition/entity-definition.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { linksOf } from '../../../shared/domain/entity/model/links.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { attributesOf } from '../../../shared/domain/field/attributes-of.ts';
import { badField } from '../../../shared/domain/field/definition/read-field-settings.ts';
import type { FieldDefinition } from '../../../shared/domain/field/field-types.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { type Decision, decideWrite } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';

export type Body = Readonly<Record<string, unknown>>;
export type Fields = Readonly<Record<string, FieldDefinition>>;

/** A requested change to a definition. Instances exchange it as JSON. */
export interface DefinitionChange<Kind extends string> {
  readonly kind: Kind;
  readonly entityType: string;
  readonly body: Body;
}

const MAX_CUSTOM_FIELDS = 300;

/**
 * Writes a definition record. The first change to a stock entity type creates the record; until then, `current` is
 * undefined.
 */
export function writeDefinition(
  current: RecordState | undefined,
  values: Readonly<Record<string, unknown>>,
): Decision | undefined {
  return decideWrite(current, values as AttributeValues);
}

export function fieldsIn(
  state: RecordState | undefined,
  attribute: 'fields' | 'removedFields',
): Fields {
  return Object(state?.values[attribute] ?? {});
}

/** Returns the entity type. Throws if it cannot have custom fields and links. */
export function requireCustomizable(directory: Directory, entityType: string): EntityModel {
  const model = directory.entity(entityType);
  if (model === undefined || !isCustomizable(model.definition)) throw unknownEntity(entityType);
  return model;
}

/**
 * Rejects a field's type if one of the field's attributes would reuse the column, and thus the values, of a removed
 * field of another type.
 */
export function requireSameType(removed: Fields, name: string, now: FieldDefinition): void {
  const names = new Set(attributesOf(name, now).map((attribute) => attribute.name));
  for (const [other, before] of Object.entries(removed)) {
    if (other === name ? isSameType(before, name, now) : !sharesColumn(other, before, names))
      continue;
    const linked = before.entityType === undefined ? '' : ` to ${before.entityType}`;
    const named = other === name ? 'of this name' : `'${other}'`;
    throw badField(
      `An earlier field ${named} had type '${before.type}'${linked}, and its values still exist. Use another name or the same type.`,
    );
  }
}

function isSameType(before: FieldDefinition, name: string, now: FieldDefinition): boolean {
  if (!hasColumns(name, now)) return true;
  return before.type === now.type && before.entityType === now.entityType;
}

function sharesColumn(field: string, before: FieldDefinition, names: ReadonlySet<string>): boolean {
  return attributesOf(field, before).some(({ name, stored }) => stored && names.has(name));
}

/** Returns true if a field stores values. Foreign fields only show values from another record. */
export function hasColumns(field: string, definition: FieldDefinition): boolean {
  return attributesOf(field, definition).some(({ stored }) => stored);
}

export function requireRoom(fields: Fields): void {
  if (Object.keys(fields).length < MAX_CUSTOM_FIELDS) return;
  throw badField(`An entity type can have at most ${MAX_CUSTOM_FIELDS} custom fields.`);
}

/** Removes a field but keeps its definition in `removedFields`, because its column and values still exist. */
export function withoutField(current: RecordState | undefined, name: string): Decision | undefined {
  const { [name]: own, ...fields } = fieldsIn(current, 'fields');
  const isKept = own !== undefined && hasColumns(name, own);
  const removed = fieldsIn(current, 'removedFields');
  const removedFields = isKept ? { ...removed, [name]: own } : removed;
  return writeDefinition(current, { fields, removedFields });
}

export function unknownField(name: string): Refusal {
  return new Refusal(
    'not_found',
    'field.unknown',
    `Field '${printable(name)}' does not exist or cannot be changed this way.`,
  );
}

export function unknownEntity(name: string): Refusal {
  return new Refusal(
    'not_found',
    'entity.unknown',
    `Entity type '${printable(name)}' cannot be changed or linked.`,
  );
}

/**
 * Rejects a field whose name is in use by a field or link of the entity type, or if one of its attributes (`x`, `xId`)
 * belongs to another field.
 */
export function requireFreeName(
  directory: Directory,
  model: EntityModel,
  { name, definition }: { readonly name: string; readonly definition: FieldDefinition },
): void {
  requireFreeLinkName(directory, model, name);
  const attributes = attributesOf(name, definition);
  if (attributes.some((attribute) => model.attribute.has(attribute.name))) throw nameTaken(name);
}

/** Rejects a link name that is in use. A link whose ids are stored on the other side has no attributes. */
export function requireFreeLinkName(directory: Directory, model: EntityModel, name: string): void {
  if (model.fields.has(name)) throw taken('fieldAlreadyExists', `The field '${name}'`, name);
  if (linksOf(model, directory.entity).has(name)) {
    throw taken('linkWithSameNameAlreadyExists', `The link '${name}'`, name);
  }
  if (model.attribute.has(name)) throw nameTaken(name);
}

function nameTaken(name: string): Refusal {
  return taken('namingFieldLinkConflict', `An attribute of '${name}'`, name);
}

function taken(label: string, what: string, field: string): Refusal {
  return new Refusal('conflict', 'field.exists', `${what} already exists.`, {
    messageTranslation: { label, scope: 'FieldManager', data: { field } },
  });
}
