import type { ComponentType } from 'react';
import type { FieldDefinition } from '../api/definitions.ts';
import type { Entity, Field } from '../api/metadata.ts';
import { FileInputs } from './file-inputs.tsx';
import type { InputProps, Values } from './input-parts.ts';
import { LinkInput, LinksInput, ParentInput } from './link-inputs.tsx';
import * as inputs from './simple-inputs.tsx';
import * as values from './simple-values.tsx';
import { TextValue, type ValueProps } from './simple-values.tsx';

export type Setting = Exclude<keyof FieldDefinition, 'isCustom' | 'name' | 'type'>;
type FieldTypeName = NonNullable<FieldDefinition['type']>;

/** The console's descriptor of a field type. Absent flags mean false. */
interface FieldType {
  /** Absent if the server sets the field. */
  readonly Input?: ComponentType<InputProps>;
  /** Absent if the value is shown as text. */
  readonly Value?: ComponentType<values.ValueProps>;
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
  /** The value that an untouched input represents, if it is not empty. */
  readonly emptyValue?: boolean;
  /** Set if the field holds files. A record accepts only files that were uploaded for it. */
  readonly holdsFiles?: 'one' | 'many';
  /** True if a merge always combines the values of all records. */
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
  Input: inputs.ShortTextInput,
  conditions: 'texts',
  settings: ['required', 'default', 'maxLength', 'pattern'],
};
const longText: FieldType = {
  Input: inputs.LongTextInput,
  conditions: 'texts',
  settings: ['required', 'default', 'maxLength'],
};
const wholeNumber: FieldType = {
  Input: inputs.WholeNumberInput,
  Value: values.NumberValue,
  conditions: 'numbers',
  settings: ['required', 'default', 'min', 'max'],
  defaultKind: 'number',
};
const fraction: FieldType = { ...wholeNumber, Input: inputs.FractionInput };
const withOptions = {
  settings: ['required', 'options', 'default', 'min', 'max'],
} as const satisfies FieldType;
const list: FieldType = {
  Input: inputs.OptionsInput,
  Value: values.ListValue,
  conditions: 'lists',
  settings: ['required', 'options', 'allowCustomOptions', 'default', 'maxCount', 'maxItemLength'],
  defaultKind: 'list',
};
const json: FieldType = {
  Input: inputs.JsonInput,
  Value: values.JsonValue,
  settings: ['required'],
};
const file: FieldType = {
  Input: FileInputs,
  Value: values.FileValue,
  attributes: withSuffixes('Id', 'Name'),
  settings: ['required', 'maxFileSize', 'accept'],
  holdsFiles: 'one',
  isCombinedByMerge: true,
};
const linkToOne: FieldType = { Value: values.LinkValue, attributes: withSuffixes('Id', 'Name') };
const range: FieldType = { Value: values.RangeValue, attributes: withPrefixes('from', 'to') };

const fieldTypes: Readonly<Record<FieldTypeName, FieldType>> = {
  varchar: text,
  text: longText,
  wysiwyg: longText,
  barcode: text,
  colorpicker: { ...text, Input: inputs.ColorTextInput, settings: ['required', 'default'] },
  enum: {
    Input: inputs.OptionInput,
    conditions: 'options',
    settings: ['required', 'options', 'default'],
  },
  url: { ...text, Value: values.UrlValue, settings: ['required', 'maxLength'] },
  secret: {},
  number: { conditions: 'texts', settings: ['prefix', 'padLength', 'nextNumber'] },
  personName: {
    conditions: 'texts',
    composedOf: withPrefixes('salutation', 'first', 'middle', 'last'),
  },
  bool: {
    Input: inputs.FlagInput,
    Value: values.FlagValue,
    conditions: 'flags',
    settings: ['default'],
    defaultKind: 'flag',
    emptyValue: false,
  },
  int: wholeNumber,
  enumInt: { ...wholeNumber, ...withOptions },
  duration: { Input: inputs.WholeNumberInput, conditions: 'numbers' },
  autoincrement: { Value: values.NumberValue, conditions: 'numbers', settings: ['nextNumber'] },
  float: fraction,
  enumFloat: { ...fraction, ...withOptions },
  decimal: {
    Input: inputs.ShortTextInput,
    settings: ['required', 'default', 'min', 'max'],
  },
  date: {
    Input: inputs.DayInput,
    Value: values.DayValue,
    conditions: 'days',
    settings: ['required'],
  },
  datetime: {
    Input: inputs.TimeInput,
    Value: values.TimeValue,
    conditions: 'times',
    settings: ['required'],
  },
  datetimeOptional: {
    Input: inputs.OptionalTimeInput,
    Value: values.OptionalTimeValue,
    attributes: withSuffixes('', 'Date'),
    conditions: 'times',
    settings: ['required'],
  },
  multiEnum: list,
  checklist: list,
  urlMultiple: { ...list, Input: inputs.TextsInput, settings: ['required', 'maxCount'] },
  array: { ...list, Input: inputs.TextsInput },
  jsonObject: json,
  jsonArray: json,
  email: {
    ...text,
    Value: values.MailValue,
    settings: ['required'],
    isCombinedByMerge: true,
  },
  phone: {
    ...text,
    Value: values.PhoneValue,
    settings: ['required', 'typeList'],
    isCombinedByMerge: true,
  },
  address: {
    Input: inputs.AddressInput,
    Value: values.AddressValue,
    attributes: withSuffixes('Street', 'City', 'State', 'PostalCode', 'Country'),
    settings: ['required'],
  },
  currency: {
    Input: inputs.MoneyInput,
    Value: values.MoneyValue,
    attributes: withSuffixes('', 'Currency'),
    conditions: 'numbers',
    settings: ['required', 'min', 'max'],
  },
  currencyConverted: { Value: values.NumberValue, conditions: 'numbers' },
  rangeInt: { ...range, Input: inputs.RangeInput },
  rangeFloat: { ...range, Input: inputs.RangeInput },
  rangeCurrency: range,
  link: { ...linkToOne, Input: LinkInput },
  linkOne: linkToOne,
  linkMultiple: {
    Input: LinksInput,
    Value: values.LinksValue,
    attributes: withSuffixes('Ids', 'Names'),
    isCombinedByMerge: true,
  },
  linkParent: {
    ...linkToOne,
    Input: ParentInput,
    attributes: withSuffixes('Id', 'Type', 'Name'),
  },
  file,
  image: { ...file, settings: ['required', 'maxFileSize'] },
  attachmentMultiple: {
    ...file,
    Input: (props) => <FileInputs {...props} isSeveral />,
    Value: values.FilesValue,
    attributes: withSuffixes('Ids', 'Names'),
    settings: ['required', 'maxCount', 'maxFileSize', 'accept'],
    holdsFiles: 'many',
  },
  foreign: { conditions: 'texts', settings: ['link', 'field'] },
};

/** The field types of which administrators can create fields. */
export const creatableTypes = (Object.keys(fieldTypes) as FieldTypeName[]).filter(
  (name) => fieldTypes[name].settings !== undefined,
);

const unknown: FieldType = {};

/** Returns the descriptor of a field type. Unknown types are shown as text and have no input. */
export function fieldTypeOf({ type }: { readonly type: string }): FieldType {
  return Object.hasOwn(fieldTypes, type) ? fieldTypes[type as FieldTypeName] : unknown;
}

/** Returns the attributes that are needed to show a field. */
export function attributesOf(entity: Entity, name: string): readonly string[] {
  const field = entity.fields[name];
  return (field && fieldTypeOf(field).attributes?.(name)) ?? [name];
}

/** The input of a field; null if the server sets it. */
export function FieldInput(props: InputProps) {
  const { Input } = fieldTypeOf(props.field);
  return Input === undefined ? null : <Input {...props} />;
}

/** True if users can set the field. */
export function isEntered(field: Field): boolean {
  const { readOnly, notStorable } = field;
  return readOnly !== true && notStorable !== true && fieldTypeOf(field).Input !== undefined;
}

/** Shows the value of a field; nothing if it is empty. */
export function FieldValue({ field, ...props }: ValueProps & { readonly field: Field }) {
  const { Value = TextValue } = fieldTypeOf(field);
  return <Value {...props} />;
}

/** Returns the default values for a new record of the entity type. */
export function defaultsOf({ fields }: Entity): Values {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
