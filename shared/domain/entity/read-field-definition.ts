import { Refusal } from '../errors.ts';
import type { FieldDefinition, FieldType } from './entity-definition.ts';

/** Types that people may give to fields of their own; links come with createLink. */
const creatable: ReadonlySet<string> = new Set<FieldType>([
  'varchar',
  'text',
  'wysiwyg',
  'enum',
  'multiEnum',
  'checklist',
  'array',
  'urlMultiple',
  'bool',
  'int',
  'float',
  'decimal',
  'number',
  'autoincrement',
  'enumInt',
  'enumFloat',
  'currency',
  'date',
  'datetime',
  'datetimeOptional',
  'url',
  'address',
  'email',
  'phone',
  'barcode',
  'colorpicker',
  'jsonObject',
  'jsonArray',
  'file',
  'image',
  'attachmentMultiple',
]);

const namePattern = /^[a-z][A-Za-z0-9]{0,49}$/;
const reservedNames: ReadonlySet<string> = new Set([
  'id',
  'deleted',
  'versionNumber',
  'isStarred',
  'isFollowed',
  'followers',
  'teams',
  'assignedUser',
  'assignedUsers',
  'collaborators',
  'streamUpdatedAt',
  'createdAt',
  'modifiedAt',
  'createdBy',
  'modifiedBy',
  'isLocked',
  'pipeline',
  'pipelineStage',
  'version',
  'null',
  'true',
  'false',
]);
const maxOptions = 1_000;

/** Refuses what cannot be the name of a field. */
export function readFieldName(name: unknown): string {
  if (typeof name !== 'string' || !namePattern.test(name)) {
    throw badField(
      "'name' has to begin with a lower-case letter and have up to 50 letters and digits.",
    );
  }
  if (!reservedNames.has(name)) return name;
  throw new Refusal('conflict', 'field.name_reserved', `The name '${name}' is not allowed.`, {
    messageTranslation: {
      label: 'fieldNameIsNotAllowed',
      scope: 'FieldManager',
      data: { field: name },
    },
  });
}

/** A custom field as an administrator describes it; what is not mentioned stays as in `current`. */
export function readFieldDefinition(
  body: Readonly<Record<string, unknown>>,
  current?: FieldDefinition,
): FieldDefinition {
  const type = current?.type ?? body['type'];
  if (typeof type !== 'string' || (current === undefined && !creatable.has(type))) {
    throw badField(
      `Fields cannot be of type '${String(type).slice(0, 30).replaceAll(/[^\w]/g, '?')}'.`,
    );
  }
  const given = Object.entries(parts).flatMap(([name, read]) => {
    const value = body[name];
    return value === undefined || value === null ? [] : [[name, read(value, name)] as const];
  });
  const definition = {
    ...current,
    ...Object.fromEntries(given),
    type,
    isCustom: true,
  } as FieldDefinition;
  return withCheckedDefault(definition);
}

const parts: Readonly<Record<string, (value: unknown, name: string) => unknown>> = {
  label: readString,
  required: readFlag,
  readOnly: readFlag,
  maxLength: readCount,
  maxCount: readCount,
  maxItemLength: readCount,
  padLength: readCount,
  prefix: readString,
  min: readNumber,
  max: readNumber,
  pattern: readPattern,
  options: readOptions,
  default: readDefault,
  maxFileSize: readCount,
  accept: readAccept,
};

function readString(value: unknown, name: string): string {
  if (typeof value === 'string' && value.length <= 250) return value;
  throw badField(`'${name}' has to be a text.`);
}

function readFlag(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  throw badField(`'${name}' has to be true or false.`);
}

function readCount(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 1_000_000)
    return value;
  throw badField(`'${name}' has to be a positive integer.`);
}

function readNumber(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw badField(`'${name}' has to be a number.`);
}

function readPattern(value: unknown): string {
  try {
    return new RegExp(readString(value, 'pattern'), 'u').source;
  } catch {
    throw badField("'pattern' is no regular expression.");
  }
}

function readOptions(value: unknown): readonly string[] {
  const isList =
    Array.isArray(value) && value.every((one) => typeof one === 'string' && one.length <= 100);
  if (isList && value.length <= maxOptions && new Set(value).size === value.length) return value;
  throw badField("'options' has to be a list of different texts.");
}

/** A media type, one of its first half (`image/*`), or the ending of a name. */
const acceptPattern = /^(?:[\w.+-]+\/(?:[\w.+-]+|\*)|\.[\w-]+)$/;

function readAccept(value: unknown): readonly string[] {
  const isList =
    Array.isArray(value) &&
    value.length <= 100 &&
    value.every((one) => typeof one === 'string' && one.length <= 100 && acceptPattern.test(one));
  if (isList) return value;
  throw badField("'accept' has to be a list of media types or name endings.");
}

function readDefault(value: unknown): unknown {
  if (['string', 'number', 'boolean'].includes(typeof value)) return value;
  throw badField("'default' has to be a text, a number, true or false.");
}

const defaultTypes: Readonly<Partial<Record<FieldType, string>>> = {
  bool: 'boolean',
  int: 'number',
  float: 'number',
  enumInt: 'number',
  enumFloat: 'number',
  currency: 'number',
};

function withCheckedDefault(definition: FieldDefinition): FieldDefinition {
  const { default: value, type, options } = definition;
  if (value === undefined || value === null) return definition;
  const isTyped = typeof value === (defaultTypes[type] ?? 'string');
  const isOption = type !== 'enum' || options === undefined || options.includes(String(value));
  if (isTyped && isOption) return definition;
  throw badField("'default' is no value of this field.");
}

export function badField(message: string): Refusal {
  return new Refusal('invalid', 'field.invalid', message);
}
