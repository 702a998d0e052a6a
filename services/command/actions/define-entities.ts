import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { attributesOf } from '../../../shared/domain/entity/attributes.ts';
import type {
  FieldDefinition,
  LinkDefinition,
} from '../../../shared/domain/entity/entity-definition.ts';
import {
  badField,
  readFieldDefinition,
  readFieldName,
} from '../../../shared/domain/entity/read-field-definition.ts';
import { templateNames, templateOf } from '../../../shared/domain/entity/templates.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { isStorableJson } from '../../../shared/domain/field/read-json-object.ts';
import type { AttributeValues } from '../../../shared/domain/record/attribute-values.ts';
import { decideCreate, decideDelete, decideUpdate } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { Submission } from '../writer/submission.ts';

type Body = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, FieldDefinition>>;

/** One change of a definition: what is asked for, of which entity type. Plain data: it travels. */
export interface Definition {
  readonly kind:
    | 'createEntity'
    | 'updateEntity'
    | 'removeEntity'
    | 'createField'
    | 'updateField'
    | 'removeField'
    | 'createLink';
  readonly entityType: string;
  readonly body: Body;
}

const entityPattern = /^[A-Z][A-Za-z0-9]{2,63}$/;
const reservedEntities: ReadonlySet<string> = new Set([
  'App',
  'AuthToken',
  'SecondFactor',
  'Admin',
  'Metadata',
  'Settings',
  'I18n',
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
  'EntityManager',
  'FieldManager',
  'Global',
  'OpenApi',
  'Positions',
  'RecordHistory',
  'EntityCounts',
  'RejectedEntries',
]);
const maxCustomFields = 300;
const maxBodyDepth = 32;

/**
 * Decides a change of the definitions (api-facts 8.10). Decided by the owner of the directory one after the other, so
 * that two cannot make the same field. What is removed stays in the log, and is back when its field comes back.
 */
export function decideDefinition(
  directory: Directory,
  { kind, entityType, body }: Definition,
): Submission['decide'] {
  // Whoever reads the log writes this to Postgres, which would refuse it again and again.
  if (!isStorableJson(body, maxBodyDepth)) {
    throw badField('A definition has to be text without NUL and broken characters.');
  }
  return (state) => {
    const current = state === undefined || state.deleted ? undefined : state;
    switch (kind) {
      case 'createEntity':
        return createEntity(directory, entityType, { body, state });
      case 'updateEntity':
        return write(state, requireCustom(directory, entityType, current), readTraits(body));
      case 'removeEntity':
        requireCustom(directory, entityType, current);
        return decideDelete(state);
      case 'createLink':
        return createLink(directory, entityType, { body, state, current });
      default:
        return changeField(directory, { kind, entityType, body }, { state, current });
    }
  };
}

interface Decided {
  readonly state: RecordState | undefined;
  readonly current: RecordState | undefined;
}

function createEntity(
  directory: Directory,
  name: string,
  { body, state }: { readonly body: Body; readonly state: RecordState | undefined },
) {
  if (!entityPattern.test(name)) {
    throw badField(
      "'name' has to begin with a capital letter and have 3 to 64 letters and digits.",
    );
  }
  const template = templateOf(String(body['type']));
  if (template === undefined)
    throw badField(`'type' has to be one of ${templateNames.join(', ')}.`);
  if (reservedEntities.has(name)) throw nameConflict('nameIsNotAllowed', name);
  if (directory.entity(name) !== undefined) throw nameConflict('nameIsAlreadyUsed', name);
  const values = {
    template: String(body['type']),
    links: {},
    removedFields: {},
    ...readTraits(body),
  };
  const fields: AttributeValues = Object({ ...template.fields });
  if (state === undefined) return decideCreate(undefined, { ...values, fields });
  // The name was in use before: its fields keep the types that their columns have.
  const before = { ...fieldsIn(state, 'fields'), ...fieldsIn(state, 'removedFields') };
  for (const [field, definition] of Object.entries(template.fields))
    requireSameType(before[field], definition);
  return { ...decideCreate(undefined, { ...values, fields }), type: 'Created' as const };
}

function changeField(
  directory: Directory,
  { kind, entityType, body }: Definition,
  { state, current }: Decided,
) {
  const model = directory.entity(entityType);
  if (model === undefined || !model.definition.isObject) throw unknownEntity(entityType);
  const name = readFieldName(body['name']);
  const fields = fieldsIn(current, 'fields');
  const removed = fieldsIn(current, 'removedFields');
  const own = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (kind === 'createField') {
    if (model.fields.has(name) || collides(model.attribute, name, body)) throw fieldExists(name);
    if (Object.keys(fields).length >= maxCustomFields) {
      throw badField(`An entity type has at most ${maxCustomFields} fields of its own.`);
    }
    const definition = readFieldDefinition(body);
    requireSameType(removed[name], definition);
    return write(state, current, { fields: { ...fields, [name]: definition } });
  }
  if (own?.isCustom !== true) throw unknownField(name);
  if (kind === 'updateField') {
    return write(state, current, { fields: { ...fields, [name]: readFieldDefinition(body, own) } });
  }
  const { [name]: _, ...others } = fields;
  return write(state, current, { fields: others, removedFields: { ...removed, [name]: own } });
}

/** Several attributes belong to one field (`x`, `xId`), and two fields must not share one. */
function collides(attributes: ReadonlyMap<string, unknown>, name: string, body: Body): boolean {
  const definition = readFieldDefinition(body);
  return attributesOf(name, definition).some((attribute) => attributes.has(attribute.name));
}

function requireSameType(before: FieldDefinition | undefined, now: FieldDefinition): void {
  if (before === undefined || before.type === now.type) return;
  throw badField(
    `A field of this name was there before, of type '${before.type}', and its values still are.`,
  );
}

const linkTypes: ReadonlySet<unknown> = new Set(['manyToOne', 'oneToMany', 'manyToMany']);

/** Adds the field that holds the ids; the name for the other side goes into that side's definition. */
function createLink(
  directory: Directory,
  entityType: string,
  { body, state, current }: Decided & { readonly body: Body },
) {
  const model = directory.entity(entityType);
  const target = directory.entity(String(body['entityForeign']));
  if (model === undefined || !model.definition.isObject) throw unknownEntity(entityType);
  if (target === undefined || target.definition.isInternal === true) {
    throw unknownEntity(String(body['entityForeign']));
  }
  if (!linkTypes.has(body['linkType'])) {
    throw badField(`'linkType' has to be one of ${[...linkTypes].join(', ')}.`);
  }
  const name = readFieldName(body['link']);
  const foreign = readFieldName(body['linkForeign']);
  const links = linksIn(current);
  if (model.fields.has(name) || Object.hasOwn(model.definition.links ?? {}, name))
    throw fieldExists(name);
  if (body['isForeign'] === true || body['linkType'] === 'oneToMany') {
    return write(state, current, {
      links: { ...links, [name]: { entityType: target.name, foreign } },
    });
  }
  const definition: FieldDefinition =
    body['linkType'] === 'manyToOne'
      ? { type: 'link', entityType: target.name, isCustom: true }
      : { type: 'linkMultiple', entityType: target.name, singleReadOnly: true, isCustom: true };
  return write(state, current, { fields: { ...fieldsIn(current, 'fields'), [name]: definition } });
}

/** The first change of a stock entity type creates its definition record. */
function write(
  state: RecordState | undefined,
  current: RecordState | undefined,
  values: Readonly<Record<string, unknown>>,
) {
  const written = values as AttributeValues;
  return current === undefined ? decideCreate(undefined, written) : decideUpdate(state, written);
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

function readTraits({ labelSingular, labelPlural, stream }: Body): AttributeValues {
  if (stream !== undefined && typeof stream !== 'boolean') {
    throw badField("'stream' has to be true or false.");
  }
  return {
    ...(stream === undefined ? {} : { stream }),
    ...(typeof labelSingular === 'string' ? { label: labelSingular.slice(0, 100) } : {}),
    ...(typeof labelPlural === 'string' ? { labelPlural: labelPlural.slice(0, 100) } : {}),
  };
}

function fieldsIn(state: RecordState | undefined, attribute: 'fields' | 'removedFields'): Fields {
  return Object(state?.values[attribute] ?? {});
}

function linksIn(state: RecordState | undefined): Readonly<Record<string, LinkDefinition>> {
  return Object(state?.values['links'] ?? {});
}

function nameConflict(label: string, name: string): Refusal {
  return new Refusal('conflict', 'entity.name', `The name '${name}' cannot be used.`, {
    messageTranslation: { label, scope: 'EntityManager', data: { name } },
  });
}

function fieldExists(field: string): Refusal {
  return new Refusal('conflict', 'field.exists', `The field '${field}' exists already.`, {
    messageTranslation: { label: 'fieldAlreadyExists', scope: 'FieldManager', data: { field } },
  });
}

function unknownField(name: string): Refusal {
  return new Refusal('not_found', 'field.unknown', `There is no custom field '${name}'.`);
}

function unknownEntity(name: string): Refusal {
  const printable = name.slice(0, 64).replaceAll(/[^\x20-\x7e]/g, '?');
  return new Refusal(
    'not_found',
    'entity.unknown',
    `Entity type '${printable}' cannot be changed.`,
  );
}
