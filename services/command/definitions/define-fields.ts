import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityDefinition } from '../../../shared/domain/entity/definition/entity-definition.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { isFileField } from '../../../shared/domain/entity/model/file-field.ts';
import { readForeignField } from '../../../shared/domain/entity/model/read-foreign-field.ts';
import { templateOf } from '../../../shared/domain/entity/stock/templates.ts';
import {
  readFieldDefinition,
  readFieldOverlay,
} from '../../../shared/domain/field/definition/read-field-definition.ts';
import { readFieldName } from '../../../shared/domain/field/definition/read-field-name.ts';
import { badField } from '../../../shared/domain/field/definition/read-field-settings.ts';
import { type FieldDefinition, isCounted } from '../../../shared/domain/field/field-types.ts';
import type { Decision } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { textIn } from '../../../shared/http/require-object.ts';
import {
  type Body,
  type DefinitionChange,
  type Fields,
  fieldsIn,
  requireCustomizable,
  requireFreeName,
  requireRoom,
  requireSameType,
  unknownField,
  withoutField,
  writeDefinition,
} from './definition-record.ts';

export const fieldKinds = ['createField', 'updateField', 'removeField', 'resetField'] as const;

export function changeField(
  directory: Directory,
  { kind, entityType, body }: DefinitionChange<(typeof fieldKinds)[number]>,
  current: RecordState | undefined,
): Decision | undefined {
  const model = requireCustomizable(directory, entityType);
  const fields = fieldsIn(current, 'fields');
  if (kind === 'createField') return createField(directory, { model, body }, current);
  const name = textIn(body, 'name');
  const own = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (own?.isCustom === true) {
    if (kind === 'updateField') {
      const changed = readFieldDefinition(body, own);
      return writeDefinition(current, { fields: { ...fields, [name]: changed } });
    }
    if (kind === 'resetField')
      throw badField('A custom field has no default definition to reset to.');
    requireUnshown(model, name);
    return withoutField(current, name);
  }
  const shipped = shippedField(model, name);
  if (shipped === undefined || kind === 'removeField') throw unknownField(name);
  const others = { model, name, fields };
  const changed = kind === 'updateField' ? overlay(others, body, shipped) : reset(others, current);
  return writeDefinition(current, { fields: changed });
}

function createField(
  directory: Directory,
  { model, body }: { readonly model: EntityModel; readonly body: Body },
  current: RecordState | undefined,
): Decision | undefined {
  const fields = fieldsIn(current, 'fields');
  const name = readFieldName(body['name']);
  const definition = readNewField(directory, model, body);
  requireFreeName(directory, model, { name, definition });
  requireRoom(fields);
  requireSameType(fieldsIn(current, 'removedFields'), name, definition);
  return writeDefinition(current, { fields: { ...fields, [name]: definition } });
}

function readNewField(directory: Directory, model: EntityModel, body: Body): FieldDefinition {
  if (body['type'] === 'foreign') return readForeignField(body, model, directory.entity);
  const definition = readFieldDefinition(body);
  if (model.definition.log === 'records') return definition;
  // Only records in the records log can have numbers and files.
  if (isCounted(definition) || isFileField(definition)) {
    throw badField(`${model.name} cannot have a field of type '${definition.type}'.`);
  }
  // Users who are not administrators see only a fixed set of user fields.
  return { ...definition, adminOnly: true };
}

/** Rejects changes to a link that foreign fields use. */
export function requireUnshown({ fields }: EntityModel, name: string): void {
  const through = [...fields].find(([, { link }]) => link === name);
  if (through !== undefined)
    throw badField(`The foreign field '${through[0]}' uses this field. Remove it first.`);
}

/**
 * Returns a shipped field if administrators may customize it. Fields of directory types are excluded, because all
 * records show the names of users.
 */
function shippedField(
  { definition, fields }: EntityModel,
  name: string,
): FieldDefinition | undefined {
  const isOpen = definition.log === 'records' && Object.hasOwn(definition.fields, name);
  return isOpen ? fields.get(name) : undefined;
}

interface Shipped {
  readonly model: EntityModel;
  readonly name: string;
  readonly fields: Fields;
}

function overlay({ model, name, fields }: Shipped, body: Body, shipped: FieldDefinition): Fields {
  const changes = readFieldOverlay(body, shipped, fixedOptions(model.definition, name));
  if (Object.keys(changes).length === 0) return fields;
  return { ...fields, [name]: { ...fields[name], ...changes } as FieldDefinition };
}

/** Returns the options of a field that built-in rules set or check. These options cannot be removed. */
function fixedOptions({ fields, activity }: EntityDefinition, name: string): readonly string[] {
  const stamping = Object.values(fields).flatMap(({ stampedWhen }) =>
    stampedWhen?.attribute === name ? [stampedWhen.value] : [],
  );
  const statuses =
    name === 'status' && activity !== undefined ? [...activity.planned, ...activity.past] : [];
  return [...stamping, ...statuses];
}

/**
 * Drops all customizations of a field. A custom entity type stores all fields of its template, a stock type only
 * changed fields.
 */
function reset({ name, fields }: Shipped, current: RecordState | undefined): Fields {
  const { [name]: _, ...others } = fields;
  const template = templateOf(String(current?.values['template']))?.fields ?? {};
  const shipped = Object.hasOwn(template, name) ? template[name] : undefined;
  return shipped === undefined ? others : { ...others, [name]: shipped };
}
