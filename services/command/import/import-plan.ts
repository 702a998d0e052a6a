import type { Actor } from '../../../shared/domain/access/actor.ts';
import { closedFields, hasScope, requireScope } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import { isStorableJson } from '../../../shared/domain/field/types/json/read-json-object.ts';
import { isStorableText } from '../../../shared/domain/field/types/text/read-text.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { createLocalClock } from '../../../shared/domain/value/date-time.ts';
import { textIn, toMap } from '../../../shared/http/require-object.ts';
import type { JsonObject } from '../owner/read-body.ts';
import { cutText } from './cut-text.ts';
import { repeatsPart, requireDateFormat, type TimeFormats } from './read-local-time.ts';

/** The name of mass actions that import a file. Clients request them with `POST Import`. */
export const importAction = 'import';

/** The decision to import a file, as stored in its mass action. */
export interface ImportPlan extends TimeFormats {
  readonly fileId: string;
  readonly fileName: string | null;
  /** In lower-case hex. The log identifies the contents of the file by this digest. */
  readonly sha256: string;
  readonly size: number;
  readonly rowCount: number;
  readonly isDryRun: boolean;
  /** An attribute per column; null skips the column. */
  readonly attributes: readonly (string | null)[];
  readonly action: 'create' | 'createAndUpdate' | 'update';
  /** Indexes of the columns that identify the record to update. */
  readonly updateBy: readonly number[];
  /** The action for rows with the same name or e-mail address as an existing record. `ignore`: not checked. */
  readonly duplicates: 'create' | 'skip' | 'update' | 'ignore';
  readonly hasHeader: boolean;
  readonly delimiter: string;
  readonly quote: string;
  readonly encoding: string;
  readonly decimalMark: string;
  readonly currency: string | null;
  readonly personNameFormat: string;
  /** Values for each new record, unless its row overrides them. */
  readonly defaultValues: JsonObject;
}

/** The part of a plan that the request contains. */
type ImportRequest = Omit<ImportPlan, 'sha256' | 'size' | 'rowCount'>;

/** The maximum number of columns of a file. */
export const MAX_COLUMNS = 500;
const MAX_NAME_LENGTH = 255;
const actions = ['create', 'createAndUpdate', 'update'] as const;
const duplicateActions = ['create', 'skip', 'update'] as const;
const encodings = ['utf-8', 'utf-16le', 'windows-1252'] as const;
const nameFormats = ['f l', 'l f', 'l, f', 'f m l', 'l f m'] as const;

/** Reads the body of a request for an import. Rejects columns that the entity type does not have. */
export function readImportRequest(
  body: JsonObject,
  { actor, model }: { readonly actor: Actor; readonly model: EntityModel },
): ImportRequest {
  if (flag(body, 'manualMode')) throw badImport("'manualMode' is not supported.");
  const action = oneOf(body, 'action', actions) ?? 'create';
  const attributes = readAttributes(body['attributeList'], { actor, model });
  const updateBy = readUpdateBy(body['updateBy'] ?? [], attributes, model);
  if (action !== 'create' && updateBy.length === 0) {
    throw badImport(`'updateBy' must name at least one column for the action '${action}'.`);
  }
  return {
    fileId: textIn(body, 'attachmentId') || missing('attachmentId'),
    fileName: cutText(text(body, 'fileName') ?? '', MAX_NAME_LENGTH) || null,
    isDryRun: flag(body, 'dryRun'),
    attributes,
    action,
    updateBy: action === 'create' ? [] : updateBy,
    duplicates: readDuplicates(body, model),
    hasHeader: flag(body, 'headerRow'),
    ...readFileFormat(body),
    ...readValueFormat(body),
    defaultValues: readDefaults(body['defaultValues']),
  };
}

function readDuplicates(body: JsonObject, { definition }: EntityModel): ImportPlan['duplicates'] {
  const action = oneOf(body, 'duplicates', duplicateActions) ?? 'create';
  const isChecked = !flag(body, 'skipDuplicateChecking') && definition.checksDuplicates === true;
  return isChecked ? action : 'ignore';
}

function readFileFormat(body: JsonObject) {
  const delimiter = text(body, 'delimiter') ?? ',';
  return {
    // EspoCRM's clients send a tab as two characters.
    delimiter: character('delimiter', delimiter === '\\t' ? '\t' : delimiter),
    quote: character('textQualifier', text(body, 'textQualifier') ?? '"'),
    encoding: oneOf(body, 'encoding', encodings) ?? 'utf-8',
  };
}

function readValueFormat(body: JsonObject) {
  const timeZone = text(body, 'timezone') ?? 'UTC';
  try {
    createLocalClock(timeZone);
  } catch {
    throw badImport(`'timezone' must be the name of a time zone, not '${printable(timeZone)}'.`);
  }
  const dateFormat = requireDateFormat('dateFormat', text(body, 'dateFormat') ?? 'YYYY-MM-DD');
  const timeFormat = requireDateFormat('timeFormat', text(body, 'timeFormat') ?? 'HH:mm');
  if (repeatsPart(`${dateFormat} ${timeFormat}`)) {
    throw badImport("'dateFormat' and 'timeFormat' must not have the same parts.");
  }
  return {
    dateFormat,
    timeFormat,
    timeZone,
    decimalMark: oneOf(body, 'decimalMark', ['.', ',']) ?? '.',
    currency: text(body, 'currency') ?? null,
    personNameFormat: oneOf(body, 'personNameFormat', nameFormats) ?? 'l',
  };
}

/** Silently skips columns of fields that the actor may not edit, as EspoCRM does. */
function readAttributes(
  list: unknown,
  { actor, model }: { readonly actor: Actor; readonly model: EntityModel },
): ImportPlan['attributes'] {
  if (!Array.isArray(list) || list.length === 0) return missing('attributeList');
  if (list.length > MAX_COLUMNS) throw badImport(`At most ${MAX_COLUMNS} columns can be imported.`);
  const { edit } = closedFields(actor, model);
  const names = list.map((name: unknown) => {
    if (name === null || name === '') return null;
    const field = typeof name === 'string' ? importedField(model, name) : undefined;
    if (field === undefined) {
      throw badImport(`'${printable(String(name))}' is not an attribute that can be imported.`);
    }
    return edit.has(field) ? null : String(name);
  });
  const given = names.filter((name) => name !== null);
  const repeated = given.find((name, index) => given.indexOf(name) !== index);
  if (repeated !== undefined) throw badImport(`Two columns are mapped to '${repeated}'.`);
  if (given.length === 0) throw badImport('No column is mapped to an attribute.');
  return names;
}

/** Returns the field that a column writes; undefined for other names. */
function importedField(model: EntityModel, name: string): string | undefined {
  if (name === 'id') return name;
  const attribute = model.attribute.get(name);
  if (attribute === undefined) return extraEntry(model, name)?.field;
  const isWritten = attribute.writable && !attribute.isSecret;
  return isWritten || isPersonName(model, name) || linkNamed(model, name)
    ? attribute.field
    : undefined;
}

/** Rejects users who may not import records of an entity type. Imports that only update need the right to create, too. */
export function requireImporting(actor: Actor, model: EntityModel): void {
  requireImporter(actor);
  const { isObject, isInternal, log } = model.definition;
  if (!isObject || isInternal === true || log !== 'records') {
    throw badImport(`Records of ${model.name} cannot be imported.`);
  }
  requireScope(actor, model.name, 'create');
}

export function requireImporter(actor: Actor): void {
  if (hasScope(actor, 'Import')) return;
  throw new Refusal('forbidden', 'access.denied', "No access to 'Import'.");
}

export function isPersonName(model: EntityModel, name: string): boolean {
  return model.fields.get(name)?.type === 'personName';
}

/** Returns the id attribute of a link to one record if `name` is the name of the linked record. */
export function linkNamed(model: EntityModel, name: string): Attribute | undefined {
  const { through } = model.attribute.get(name) ?? {};
  if (through?.attribute !== 'name') return undefined;
  const id = model.attribute.get(through.idAttribute);
  return id?.writable === true && id.link === 'id' ? id : undefined;
}

/** Reads `emailAddress2` to `emailAddress4` and `phoneNumberOffice`: entries in addition to the first one. */
export function extraEntry(
  model: EntityModel,
  name: string,
): { readonly field: string; readonly type: string | undefined } | undefined {
  if (/^emailAddress[234]$/.test(name) && model.fields.get('emailAddress')?.type === 'email') {
    return { field: 'emailAddress', type: undefined };
  }
  const type = /^phoneNumber([A-Z].*)$/.exec(name)?.[1]?.replaceAll('_', ' ');
  const phones = model.fields.get('phoneNumber');
  if (type === undefined || phones?.type !== 'phone') return undefined;
  return { field: 'phoneNumber', type };
}

/** Records are identified by their id or by stored texts, which have an index or are rare enough to be read. */
function readUpdateBy(
  value: unknown,
  attributes: ImportPlan['attributes'],
  model: EntityModel,
): readonly number[] {
  const isIndex = (one: unknown) => Number.isInteger(one) && attributes[Number(one)] != null;
  if (!Array.isArray(value) || !value.every(isIndex) || new Set(value).size < value.length) {
    throw badImport("'updateBy' must be a list of different indexes of mapped columns.");
  }
  if (attributes.includes('id') && !value.some((index) => attributes[Number(index)] === 'id')) {
    throw badImport("The column 'id' can only identify records to update: add it to 'updateBy'.");
  }
  for (const index of value) {
    const name = attributes[Number(index)] ?? '';
    const attribute = model.attribute.get(name);
    const isText = attribute?.stored === true && attribute.kind === 'string';
    if (name !== 'id' && !isText) throw badImport(`Records cannot be found by '${name}'.`);
  }
  return value.map(Number);
}

/** Limits the nesting of default values. */
const MAX_DEPTH = 16;

function readDefaults(value: unknown): JsonObject {
  if (value === undefined || value === null) return {};
  const values = toMap(value) ?? badValue('defaultValues', 'an object');
  return isStorableJson(values, MAX_DEPTH)
    ? values
    : badValue(
        'defaultValues',
        `JSON with at most ${MAX_DEPTH} levels and without __proto__, NUL or unpaired surrogates`,
      );
}

function text(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' && isStorableText(value)
    ? value
    : badValue(name, 'a text without NUL or unpaired surrogates');
}

function flag(body: JsonObject, name: string): boolean {
  const value = body[name] ?? false;
  return typeof value === 'boolean' ? value : badValue(name, 'true or false');
}

function oneOf<const Choice extends string>(
  body: JsonObject,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = text(body, name);
  const choice = choices.find((one) => one === value);
  if (value === undefined || choice !== undefined) return choice;
  return badValue(name, `one of ${choices.join(', ')}`);
}

function character(name: string, value: string): string {
  return value.length === 1 ? value : badValue(name, 'one character');
}

function missing(name: string): never {
  throw badImport(`'${name}' is missing.`);
}

function badValue(name: string, meaning: string): never {
  throw badImport(`'${name}' must be ${meaning}.`);
}

export function badImport(message: string): Refusal {
  return new Refusal('invalid', 'import.body', message);
}
