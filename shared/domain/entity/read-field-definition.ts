import { Refusal } from '../errors.ts';
import { readInput } from '../field/read-input.ts';
import { type AttributeValue, sameValue } from '../record/attribute-values.ts';
import { type FieldDefinition, type FieldType, isCounted } from './entity-definition.ts';
import { buildEntityModel } from './entity-model.ts';

/** Types that people may give to fields of their own; links come with createLink, foreign fields need one. */
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
const maxTooltipLength = 1_000;
/** Far enough from where counted numbers end (999,999,999 behind a prefix). */
const maxNextNumber = 100_000_000;

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
  const definition = {
    ...current,
    ...readParts(body, type),
    type,
    isCustom: true,
  } as FieldDefinition;
  return withCheckedDefault(definition);
}

/** What of a field that Annals ships can be said anew. Its own rules rely on all else. */
const overlaid: ReadonlySet<string> = new Set(['options', 'required', 'default']);
/** What can be said of any field. */
const forPeople: ReadonlySet<string> = new Set(['label', 'tooltip', 'audited']);

/**
 * What a body says anew of a field that Annals ships; `kept` are options that have to stay. Clients send back what they
 * have read: parts that stay as they are may be anything.
 */
export function readFieldOverlay(
  body: Readonly<Record<string, unknown>>,
  current: FieldDefinition,
  kept: readonly string[],
): Partial<FieldDefinition> {
  const said = Object.entries(readParts(body, current.type)).filter(
    ([name, value]) => !isSame(value, current[name as keyof FieldDefinition]),
  );
  for (const [name] of said) requireOverlaid(name, current);
  const overlay: Partial<FieldDefinition> = Object.fromEntries(said);
  const missing = overlay.options && kept.find((option) => !overlay.options?.includes(option));
  if (missing !== undefined) throw badField(`'options' has to keep '${missing}': Annals sets it.`);
  const { default: value } = withCheckedDefault({ ...current, ...overlay });
  return overlay.default === undefined ? overlay : { ...overlay, default: value ?? null };
}

function requireOverlaid(name: string, shipped: FieldDefinition): void {
  if (forPeople.has(name) || (name === 'nextNumber' && isCounted(shipped))) return;
  const { options, readOnly, notStored } = shipped;
  const isOpen = name !== 'options' || options !== undefined;
  const isForClients = readOnly !== true && notStored !== true;
  if (overlaid.has(name) && isOpen && isForClients) return;
  throw badField(`'${name}' of this field cannot be changed.`);
}

function isSame(value: unknown, current: unknown): boolean {
  return sameValue(toPlain(value), toPlain(current));
}

/** What is not said is the same as nothing; a flag that is not set is off. */
function toPlain(value: unknown): AttributeValue {
  return value === undefined || value === false ? null : (value as AttributeValue);
}

function readParts(
  body: Readonly<Record<string, unknown>>,
  type: string,
): Readonly<Record<string, unknown>> {
  const isOfPhone = type === 'phone' && Object.hasOwn(body, 'typeList');
  return Object.fromEntries(
    Object.entries(parts).flatMap(([part, read]) => {
      const name = isOfPhone && part === 'options' ? 'typeList' : part;
      const value = body[name];
      if (value === null && part === 'default') return [[part, null] as const];
      return value === undefined || value === null ? [] : [[part, read(value, name)] as const];
    }),
  );
}

const parts: Readonly<Record<string, (value: unknown, name: string) => unknown>> = {
  label: readShortText,
  tooltip: readTooltip,
  audited: readFlag,
  required: readFlag,
  readOnly: readFlag,
  maxLength: readCount,
  maxCount: readCount,
  maxItemLength: readCount,
  padLength: readCount,
  prefix: readShortText,
  nextNumber: readNextNumber,
  min: readNumber,
  max: readNumber,
  pattern: readPattern,
  options: readOptions,
  allowCustomOptions: readFlag,
  default: readDefault,
  maxFileSize: readCount,
  accept: readAccept,
};

/** A label, and what is as short as one. */
export function readShortText(value: unknown, name: string, maxLength = 250): string {
  if (typeof value === 'string' && value.length <= maxLength) return value;
  throw badField(`'${name}' has to be a text of at most ${maxLength} characters.`);
}

function readTooltip(value: unknown, name: string): boolean | string {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && value.length <= maxTooltipLength) return value;
  throw badField(
    `'${name}' has to be true, false, or a text of at most ${maxTooltipLength} characters.`,
  );
}

function readNextNumber(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maxNextNumber)
    return value;
  throw badField(`'${name}' has to be a positive integer of at most ${maxNextNumber}.`);
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
    return new RegExp(readShortText(value, 'pattern'), 'u').source;
  } catch {
    throw badField("'pattern' is no regular expression.");
  }
}

function readOptions(value: unknown, name: string): readonly string[] {
  const isList =
    Array.isArray(value) && value.every((one) => typeof one === 'string' && one.length <= 100);
  if (isList && value.length <= maxOptions && new Set(value).size === value.length) return value;
  throw badField(`'${name}' has to be a list of different texts.`);
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
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (isList || ['string', 'number', 'boolean'].includes(typeof value)) return value;
  throw badField("'default' has to be a text, a number, true, false, or a list of texts.");
}

/** A default has to be what the field would take from a client. */
function withCheckedDefault(definition: FieldDefinition): FieldDefinition {
  const { default: value, readOnly: _, notStored: __, ...plain } = definition;
  if (value === undefined || value === null) return definition;
  const model = buildEntityModel({
    name: 'Default',
    log: 'directory',
    isObject: false,
    orderBy: 'createdAt',
    order: 'asc',
    fields: { value: plain },
  });
  const { values, problems } = readInput(model, { value }, 'create');
  const read = values['value'];
  // A flag takes whatever a record's client sends; here it would hide a mistake.
  const isFlag = definition.type !== 'bool' || typeof value === 'boolean';
  if (problems.length > 0 || !isFlag || !isDefault(read)) {
    throw badField("'default' is no value of this field.");
  }
  return { ...definition, default: read };
}

function isDefault(
  value: AttributeValue | undefined,
): value is NonNullable<FieldDefinition['default']> | null {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

export function badField(message: string): Refusal {
  return new Refusal('invalid', 'field.invalid', message);
}
