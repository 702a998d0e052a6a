import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { isSortable } from '../../../shared/domain/directory/merge-definitions.ts';
import { entityDefinitionRecord } from '../../../shared/domain/entity/stock/internal-records.ts';
import { templateNames, templateOf } from '../../../shared/domain/entity/stock/templates.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import {
  badField,
  readShortText,
} from '../../../shared/domain/field/definition/read-field-settings.ts';
import { type FieldDefinition, fieldTypeOf } from '../../../shared/domain/field/field-types.ts';
import { isStorableJson } from '../../../shared/domain/field/types/json/read-json-object.ts';
import { type Decision, decideCreate, decideDelete } from '../../../shared/domain/record/decide.ts';
import type { Change } from '../../../shared/domain/record/record-event.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { textIn } from '../../../shared/http/require-object.ts';
import { changeField, fieldKinds } from './define-fields.ts';
import { changeLink, linkKinds } from './define-links.ts';
import {
  type Body,
  type DefinitionChange,
  type Fields,
  fieldsIn,
  hasColumns,
  requireSameType,
  unknownEntity,
  writeDefinition,
} from './definition-record.ts';
import { fitIntoTable } from './fit-into-table.ts';

export const definitionKinds = [
  'createEntity',
  'updateEntity',
  'removeEntity',
  ...fieldKinds,
  ...linkKinds,
] as const;

export type Definition = DefinitionChange<(typeof definitionKinds)[number]>;

const entityPattern = /^[A-Z][A-Za-z0-9]{2,63}$/;
/** Names that entity types cannot have, because API paths or internal types use them. */
export const reservedEntities: ReadonlySet<string> = new Set([
  'App',
  'AuthToken',
  'BoardOrder',
  'ExternalIdentity',
  'Oidc',
  'ProvisionedGroup',
  'ProvisionedUser',
  'SecondFactor',
  'SignInProvider',
  'Setting',
  'WebhookReplay',
  'Admin',
  'Metadata',
  'Settings',
  'System',
  'I18n',
  'Layout',
  'MassAction',
  'Export',
  'GlobalSearch',
  'Stream',
  'Action',
  'Activities',
  'Currency',
  'CurrencyRate',
  'GlobalStream',
  'Note',
  'Notification',
  'NotificationMarks',
  'EntityManager',
  'FieldManager',
  'Global',
  'Kanban',
  'OpenApi',
  'PopupNotification',
  'Preferences',
  'QueuedEmail',
  'Timeline',
  'Undo',
  'UserPreferences',
]);
const MAX_BODY_DEPTH = 32;

/**
 * Decides a change to the definitions (docs/reference/definitions.md). The owner of the directory decides one command
 * at a time, so two commands cannot create the same field. The values of a removed field are kept, and reappear if the
 * field is created again.
 */
export function decideDefinition(
  state: RecordState | undefined,
  change: Definition,
  directory: Directory,
): Decision | undefined {
  const { entityType, body } = change;
  // Postgres would reject such a body whenever the projector tried to store it.
  if (!isStorableJson(body, MAX_BODY_DEPTH)) {
    throw badField(
      'A definition must not contain NUL, unpaired surrogates or more than 32 levels.',
    );
  }
  return fitIntoTable(entityType, state, decideOn(directory, change, state));
}

function decideOn(
  directory: Directory,
  { kind, entityType, body }: Definition,
  state: RecordState | undefined,
): Decision | undefined {
  const current = state?.deleted === false ? state : undefined;
  switch (kind) {
    case 'createEntity':
      return createEntity(directory, entityType, { body, state });
    case 'updateEntity': {
      requireCustom(directory, entityType, current);
      const fields = directory.entity(entityType)?.definition.fields ?? {};
      return writeDefinition(current, readTraits(body, fields));
    }
    case 'removeEntity':
      return decideDelete(requireCustom(directory, entityType, current));
    case 'createLink':
    case 'updateLink':
    case 'removeLink':
      return changeLink(directory, { kind, entityType, body }, current);
    default:
      return changeField(directory, { kind, entityType, body }, current);
  }
}

function createEntity(
  directory: Directory,
  name: string,
  { body, state }: { readonly body: Body; readonly state: RecordState | undefined },
): Decision {
  if (!entityPattern.test(name)) {
    throw badField(
      "'name' must begin with a capital letter and consist of 3 to 64 letters and digits.",
    );
  }
  const type = textIn(body, 'type');
  const template = templateOf(type);
  if (template === undefined) throw badField(`'type' must be one of ${templateNames.join(', ')}.`);
  if (reservedEntities.has(name)) throw nameConflict('nameIsNotAllowed', name);
  if (directory.entity(name) !== undefined) throw nameConflict('nameIsAlreadyUsed', name);
  const values = {
    template: type,
    links: {},
    removedFields: {},
    ...readTraits(body, template.fields),
  };
  const fields: AttributeValues = Object({ ...template.fields });
  if (state === undefined) return decideCreate(undefined, { ...values, fields });
  // The entity type existed before and its columns remain, so fields with the same names must have the same types.
  const before = { ...fieldsIn(state, 'fields'), ...fieldsIn(state, 'removedFields') };
  for (const [field, definition] of Object.entries(template.fields))
    requireSameType(before, field, definition);
  const removedFields: AttributeValues = Object(withColumns(before, template.fields));
  const created = { ...values, fields, removedFields };
  const decision = decideCreate(undefined, created);
  return { ...decision, changes: [...decision.changes, ...clearedTraits(state, created)] };
}

/** Clears values that the row still has from the earlier definition, because a creation does not list empty values. */
function clearedTraits(state: RecordState, values: AttributeValues): readonly Change[] {
  return Object.keys(entityDefinitionRecord.fields)
    .filter((name) => (state.values[name] ?? null) !== null && values[name] === undefined)
    .map((attribute) => ({ attribute, before: null, after: null }));
}

/** Returns the removed fields that had columns, because these columns still exist. */
function withColumns(before: Fields, now: Fields): Fields {
  return Object.fromEntries(
    Object.entries(before).filter(
      ([name, field]) =>
        field.type !== undefined && hasColumns(name, field) && !Object.hasOwn(now, name),
    ),
  );
}

function requireCustom(
  directory: Directory,
  entityType: string,
  current: RecordState | undefined,
): RecordState {
  const isCustom = directory.entity(entityType)?.definition.isCustom === true;
  if (isCustom && current !== undefined) return current;
  throw unknownEntity(entityType);
}

/** Returns the entity type options that a body sets (docs/reference/definitions.md#entity-types). */
function readTraits(body: Body, fields: Fields): AttributeValues {
  return {
    ...readFlag(body, 'stream'),
    ...readFlag(body, 'optimisticConcurrencyControl'),
    ...readOrder(body, fields),
    ...readSearched(body, fields),
    ...readLabel(body, 'labelSingular', 'label'),
    ...readLabel(body, 'labelPlural', 'labelPlural'),
  };
}

const MAX_LABEL_LENGTH = 100;
/** Each searched field has its own column and index. */
const MAX_SEARCHED_FIELDS = 50;

function readLabel(body: Body, name: string, attribute: 'label' | 'labelPlural'): AttributeValues {
  const value = body[name];
  if (value === undefined || value === null) return {};
  return { [attribute]: readShortText(value, name, MAX_LABEL_LENGTH) };
}

function readFlag(body: Body, name: 'stream' | 'optimisticConcurrencyControl'): AttributeValues {
  const value = body[name];
  if (value === undefined || value === null) return {};
  if (typeof value === 'boolean') return { [name]: value };
  throw badField(`'${name}' must be true or false.`);
}

function readOrder({ sortBy, sortDirection }: Body, fields: Fields): AttributeValues {
  if (sortBy != null && (typeof sortBy !== 'string' || !isSortable(sortBy, fields))) {
    throw badField("'sortBy' must name a field that lists can be sorted by.");
  }
  if (sortDirection != null && sortDirection !== 'asc' && sortDirection !== 'desc') {
    throw badField("'sortDirection' must be asc or desc.");
  }
  return {
    ...(sortBy == null ? {} : { sortBy }),
    ...(sortDirection == null ? {} : { sortDirection }),
  };
}

function readSearched({ textFilterFields }: Body, fields: Fields): AttributeValues {
  if (textFilterFields === undefined || textFilterFields === null) return {};
  const isSearched = (name: unknown) =>
    typeof name === 'string' && Object.hasOwn(fields, name) && isSearchable(fields[name]);
  const isList = Array.isArray(textFilterFields) && textFilterFields.length <= MAX_SEARCHED_FIELDS;
  if (isList && textFilterFields.every(isSearched)) {
    return { textFilterFields: [...new Set(textFilterFields)] };
  }
  throw badField(
    `'textFilterFields' must be a list of at most ${MAX_SEARCHED_FIELDS} fields that hold text or whole numbers.`,
  );
}

function isSearchable(field: FieldDefinition | undefined): boolean {
  return field !== undefined && field.notStored !== true && fieldTypeOf(field).search !== undefined;
}

function nameConflict(label: string, name: string): Refusal {
  return new Refusal('conflict', 'entity.name', `The name '${name}' cannot be used.`, {
    messageTranslation: { label, scope: 'EntityManager', data: { name } },
  });
}
