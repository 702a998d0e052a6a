import type { FieldDefinition } from '../api/definitions.ts';
import type { Entity, Field } from '../api/metadata.ts';

export type Setting = Exclude<keyof FieldDefinition, 'isCustom' | 'name' | 'type'>;
export type FieldTypeName = NonNullable<FieldDefinition['type']>;

/**
 * The console's descriptor of a field type. Absent flags mean false. The inputs are in input-types.tsx, and the
 * components that show values in value-types.tsx.
 */
interface FieldType {
  /** Attributes that are needed to show the field. Defaults to its own name. */
  readonly attributes?: (name: string) => readonly string[];
  /** Fields whose inputs replace the input of this field. */
  readonly composedOf?: (name: string) => readonly string[];
  /** The kind of filter conditions for the field. */
  readonly conditions?: 'days' | 'flags' | 'lists' | 'numbers' | 'options' | 'texts' | 'times';
  /** Settings in addition to those of every field. Absent if administrators cannot create fields of this type. */
  readonly settings?: readonly Setting[];
  /** The kind of input for the default value. Defaults to text. */
  readonly defaultKind?: 'flag' | 'list' | 'number';
  /** The value of an untouched input, if it is not empty. */
  readonly emptyValue?: boolean;
  /** Set if the field holds files. A record accepts only files that were uploaded for it. */
  readonly holdsFiles?: 'one' | 'many';
  /** True if a merge combines the values of all records, see isCombinedByMerge(). */
  readonly isCombinedByMerge?: true;
}

const withSuffixes =
  (...suffixes: readonly string[]) =>
  (name: string) =>
    suffixes.map((suffix) => `${name}${suffix}`);

const withPrefixes =
  (...prefixes: readonly string[]) =>
  (name: string) =>
    prefixes.map((prefix) => `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`);

const text: FieldType = {
  conditions: 'texts',
  settings: ['required', 'default', 'maxLength', 'pattern'],
};
const contacts: FieldType = {
  ...text,
  attributes: withSuffixes('', 'Data'),
  isCombinedByMerge: true,
};
const longText: FieldType = { conditions: 'texts', settings: ['required', 'default', 'maxLength'] };
const wholeNumber: FieldType = {
  conditions: 'numbers',
  settings: ['required', 'default', 'min', 'max'],
  defaultKind: 'number',
};
const numberOption: FieldType = {
  ...wholeNumber,
  settings: ['required', 'options', 'default', 'min', 'max'],
};
const list: FieldType = {
  conditions: 'lists',
  settings: ['required', 'options', 'allowCustomOptions', 'default', 'maxCount', 'maxItemLength'],
  defaultKind: 'list',
};
const json: FieldType = { settings: ['required'] };
const file: FieldType = {
  attributes: withSuffixes('Id', 'Name'),
  settings: ['required', 'maxFileSize', 'accept'],
  holdsFiles: 'one',
};
const linkToOne: FieldType = { attributes: withSuffixes('Id', 'Name') };
const range: FieldType = { attributes: withPrefixes('from', 'to') };

const fieldTypes: Readonly<Record<FieldTypeName, FieldType>> = {
  varchar: text,
  text: longText,
  wysiwyg: longText,
  barcode: text,
  colorpicker: { ...text, settings: ['required', 'default'] },
  enum: { conditions: 'options', settings: ['required', 'options', 'default'] },
  url: { ...text, settings: ['required', 'maxLength'] },
  secret: {},
  number: { conditions: 'texts', settings: ['prefix', 'padLength', 'nextNumber'] },
  personName: {
    conditions: 'texts',
    composedOf: withPrefixes('salutation', 'first', 'middle', 'last'),
  },
  bool: { conditions: 'flags', settings: ['default'], defaultKind: 'flag', emptyValue: false },
  int: wholeNumber,
  enumInt: numberOption,
  duration: { conditions: 'numbers' },
  autoincrement: { conditions: 'numbers', settings: ['nextNumber'] },
  float: wholeNumber,
  enumFloat: numberOption,
  decimal: { settings: ['required', 'default', 'min', 'max'] },
  date: { conditions: 'days', settings: ['required'] },
  datetime: { conditions: 'times', settings: ['required'] },
  datetimeOptional: {
    attributes: withSuffixes('', 'Date'),
    conditions: 'times',
    settings: ['required'],
  },
  multiEnum: list,
  checklist: list,
  urlMultiple: { ...list, settings: ['required', 'maxCount'] },
  array: list,
  jsonObject: json,
  jsonArray: json,
  email: { ...contacts, settings: ['required'] },
  phone: { ...contacts, settings: ['required', 'typeList'] },
  address: {
    attributes: withSuffixes('Street', 'City', 'State', 'PostalCode', 'Country'),
    settings: ['required'],
  },
  currency: {
    attributes: withSuffixes('', 'Currency'),
    conditions: 'numbers',
    settings: ['required', 'min', 'max'],
  },
  currencyConverted: { conditions: 'numbers' },
  rangeInt: range,
  rangeFloat: range,
  rangeCurrency: range,
  link: linkToOne,
  linkOne: linkToOne,
  linkMultiple: { attributes: withSuffixes('Ids', 'Names'), isCombinedByMerge: true },
  linkParent: { attributes: withSuffixes('Id', 'Type', 'Name') },
  file,
  image: { ...file, settings: ['required', 'maxFileSize'] },
  attachmentMultiple: {
    ...file,
    attributes: withSuffixes('Ids', 'Names'),
    settings: ['required', 'maxCount', 'maxFileSize', 'accept'],
    holdsFiles: 'many',
    isCombinedByMerge: true,
  },
  foreign: { conditions: 'texts', settings: ['link', 'field'] },
};

/** The field types of which administrators can create fields. */
export const creatableTypes = (Object.keys(fieldTypes) as FieldTypeName[]).filter(
  (name) => fieldTypes[name].settings !== undefined,
);

/** The field types without an input: the server sets the value, or the inputs of other fields replace it. */
const derivedTypes = [
  'secret',
  'number',
  'personName',
  'duration',
  'autoincrement',
  'currencyConverted',
  'rangeCurrency',
  'linkOne',
  'foreign',
] as const satisfies readonly FieldTypeName[];

export type EnteredTypeName = Exclude<FieldTypeName, (typeof derivedTypes)[number]>;

/** True if users can set the field. */
export function isEntered(field: Field): boolean {
  return field.readOnly !== true && field.notStorable !== true && hasInput(field);
}

/** True if the field has an input. */
export function hasInput({ type }: { readonly type: string }): boolean {
  return isFieldType(type) && !derivedTypes.some((derived) => derived === type);
}

/** False for types that a later version of the server has introduced. */
export function isFieldType(type: string): type is FieldTypeName {
  return Object.hasOwn(fieldTypes, type);
}

const unknown: FieldType = {};

/** Returns the descriptor of a field type. Unknown types are shown as text and have no input. */
export function fieldTypeOf({ type }: { readonly type: string }): FieldType {
  return isFieldType(type) ? fieldTypes[type] : unknown;
}

/** Returns the attributes that are needed to show a field. */
export function attributesOf(entity: Entity, name: string): readonly string[] {
  const field = entity.fields[name];
  return (field && fieldTypeOf(field).attributes?.(name)) ?? [name];
}

/**
 * True if a merge always combines the values of all records. For users to whom a field grants access, one record's
 * values are chosen instead, so that a merge does not give access to more users.
 */
export function isCombinedByMerge(entity: Entity, name: string): boolean {
  const field = entity.fields[name];
  if (field === undefined || name === 'collaborators') return false;
  const isOwner = attributesOf(entity, name).includes(entity.owner);
  return fieldTypeOf(field).isCombinedByMerge === true && !isOwner;
}

/** True for fields whose values are aligned at the end of a column, so that their digits can be compared. */
export function isNumeric(entity: Entity, name: string): boolean {
  const field = entity.fields[name];
  if (field === undefined || field.type === 'duration') return false;
  return fieldTypeOf(field).conditions === 'numbers' || field.type === 'decimal';
}

/** True if the field weights an amount. */
export function isPercentage({ fields }: Entity, name: string): boolean {
  return Object.values(fields).some(({ percent }) => percent === name);
}

/** Returns whether a field of a record has no value. A currency without an amount is not a value. */
export function isEmptyIn(
  entity: Entity,
  name: string,
  record: Readonly<Record<string, unknown>>,
): boolean {
  const isAmount = entity.fields[name]?.type === 'currency';
  return (isAmount ? [name] : attributesOf(entity, name)).every((attribute) => {
    const value = record[attribute];
    if (Array.isArray(value)) return value.length === 0;
    // The names of a link to many records.
    if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
    return value === null || value === undefined || value === '';
  });
}
