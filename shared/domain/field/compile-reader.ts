import { type Attribute, capitalized } from '../entity/attributes.ts';
import type { ColumnDefinition, FieldDefinition, FieldType } from '../entity/entity-definition.ts';
import type { AttributeRule, ReadAttribute } from './attribute-rule.ts';
import { compileEmailReader, compilePhoneReader } from './compile-group-reader.ts';
import { compileAddressPart } from './read-address.ts';
import { readBool } from './read-bool.ts';
import { readCurrencyCode } from './read-currency-code.ts';
import { readDate, readDateTime } from './read-date-time.ts';
import { readDecimal } from './read-decimal.ts';
import { readJsonArray, readJsonObject } from './read-json-object.ts';
import { readLinkId, readLinkIds } from './read-link.ts';
import { readLinkColumns } from './read-link-columns.ts';
import { readList } from './read-list.ts';
import { readAmount, readFloat, readInt } from './read-number.ts';
import { readOption } from './read-option.ts';
import { compilePattern, readText, type TextRule } from './read-text.ts';
import { readUrl, urlForm } from './read-url.ts';

/** How a client's value for the attribute is read; null where clients have no say. */
export function compileReader(
  attribute: Attribute,
  definition: FieldDefinition,
): ReadAttribute | null {
  if (!attribute.writable) return null;
  const rule: AttributeRule = { field: attribute.field, attribute: attribute.name };
  return compilers[definition.type](rule, definition);
}

type Compile = (rule: AttributeRule, definition: FieldDefinition) => ReadAttribute | null;

const compilers: Readonly<Record<FieldType, Compile>> = {
  varchar: (rule, definition) => compileText(rule, definition, { trim: true, maxLength: 255 }),
  text: (rule, definition) => compileText(rule, definition, { trim: false, maxLength: Infinity }),
  wysiwyg: (rule, definition) =>
    compileText(rule, definition, { trim: false, maxLength: Infinity }),
  barcode: (rule, definition) => compileText(rule, definition, { trim: true, maxLength: 255 }),
  colorpicker: (rule, definition) => compileText(rule, definition, { trim: true, maxLength: 7 }),
  secret: (rule, definition) => compileText(rule, definition, { trim: false, maxLength: 255 }),
  enum: compileOption,
  multiEnum: (rule, definition) => compileList(rule, definition),
  checklist: (rule, definition) => compileList(rule, definition),
  urlMultiple: (rule, definition) =>
    compileList(rule, { maxItemLength: 255, ...definition }, urlForm),
  array: (rule, definition) => compileList(rule, definition),
  bool: (rule) => (value, report) => readBool(rule, value, report),
  int: compileInt,
  enumInt: compileInt,
  float: compileFloat,
  enumFloat: compileFloat,
  decimal: (rule, definition) => {
    const range = withRange(rule, definition);
    return (value, report) => readDecimal(range, value, report);
  },
  duration: (rule) => compileInt(rule, { type: 'duration', min: 0 }),
  rangeInt: compileInt,
  rangeFloat: compileFloat,
  rangeCurrency: compileCurrency,
  date: (rule) => (value, report) => readDate(rule, value, report),
  datetime: (rule) => (value, report) => readDateTime(rule, value, report),
  datetimeOptional: (rule) =>
    rule.attribute === rule.field
      ? (value, report) => readDateTime(rule, value, report)
      : (value, report) => readDate(rule, value, report),
  email: compileEmailReader,
  phone: compilePhoneReader,
  address: compileAddressPart,
  link: (rule) => (value, report) => readLinkId(rule, value, report),
  linkMultiple: compileLinks,
  file: (rule) => (value, report) => readLinkId(rule, value, report),
  image: (rule) => (value, report) => readLinkId(rule, value, report),
  attachmentMultiple: compileLinks,
  linkParent: compileParent,
  currency: compileCurrency,
  url: (rule, definition) => {
    const url = {
      ...textRule(rule, definition, { trim: true, maxLength: 255 }),
      protocolRequired: definition.protocolRequired === true,
    };
    return (value, report) => readUrl(url, value, report);
  },
  jsonObject: (rule) => (value, report) => readJsonObject(rule, value, report),
  jsonArray: (rule) => (value, report) => readJsonArray(rule, value, report),
  autoincrement: () => null,
  number: () => null,
  linkOne: () => null,
  currencyConverted: () => null,
  personName: () => null,
  foreign: () => null,
};

function compileInt(rule: AttributeRule, definition: FieldDefinition): ReadAttribute {
  const range = withRange(rule, definition);
  return (value, report) => readInt(range, value, report);
}

function compileFloat(rule: AttributeRule, definition: FieldDefinition): ReadAttribute {
  const range = withRange(rule, definition);
  return (value, report) => readFloat(range, value, report);
}

function compileLinks(rule: AttributeRule, definition: FieldDefinition): ReadAttribute {
  if (rule.attribute === `${rule.field}Columns`) {
    const columns = Object.entries(definition.columns ?? {}).map(([name, column]) => {
      const one = { ...rule, attribute: `${rule.attribute}.${name}` };
      return [name, compilers[column.type](one, columnField(column))] as const;
    });
    return (value, report) => readLinkColumns(rule, new Map(columns), { value, report });
  }
  const list = { ...rule, maxCount: definition.maxCount ?? maxListCount };
  return (value, report) => readLinkIds(list, value, report);
}

/** A column is read like a field of its type. */
function columnField({ type, maxLength, options }: ColumnDefinition): FieldDefinition {
  return {
    type,
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(options === undefined ? {} : { options }),
  };
}

function compileParent(rule: AttributeRule, definition: FieldDefinition): ReadAttribute {
  if (rule.attribute.endsWith('Id')) return (value, report) => readLinkId(rule, value, report);
  const option = { ...rule, options: new Set(definition.entityList ?? []) };
  return (value, report) => readOption(option, value, report);
}

function compileText(
  rule: AttributeRule,
  definition: FieldDefinition,
  defaults: Pick<TextRule, 'trim' | 'maxLength'>,
): ReadAttribute {
  const text = textRule(rule, definition, defaults);
  return (value, report) => readText(text, value, report);
}

function textRule(
  rule: AttributeRule,
  definition: FieldDefinition,
  { trim, maxLength }: Pick<TextRule, 'trim' | 'maxLength'>,
): TextRule {
  return {
    ...rule,
    trim,
    maxLength: definition.maxLength ?? maxLength,
    pattern: compilePattern(definition.pattern),
    patternMeaning: 'must have the form set for it',
  };
}

function compileOption(rule: AttributeRule, definition: FieldDefinition): ReadAttribute {
  if (definition.options === undefined) {
    return compileText(rule, definition, { trim: false, maxLength: 255 });
  }
  const option = { ...rule, options: new Set(definition.options) };
  return (value, report) => readOption(option, value, report);
}

function compileList(
  rule: AttributeRule,
  definition: FieldDefinition,
  usualForm: RegExp | null = null,
): ReadAttribute {
  const { options, allowCustomOptions } = definition;
  const list = {
    ...rule,
    options: options === undefined || allowCustomOptions === true ? null : new Set(options),
    maxCount: definition.maxCount ?? maxListCount,
    maxEntryLength: definition.maxItemLength ?? 100,
    pattern: compilePattern(definition.pattern) ?? usualForm,
  };
  return (value, report) => readList(list, value, report);
}

function compileCurrency(rule: AttributeRule, definition: FieldDefinition): ReadAttribute {
  const part = capitalized(rule.field);
  if ([rule.field, `from${part}`, `to${part}`].includes(rule.attribute)) {
    const range = withRange(rule, definition);
    return (value, report) => readAmount(range, value, report);
  }
  return (value, report) => readCurrencyCode(rule, value, report);
}

function withRange(rule: AttributeRule, { min = -Infinity, max = Infinity }: FieldDefinition) {
  return { ...rule, min, max };
}

/** Keeps one event far below the size of a message even where a definition sets no limit. */
const maxListCount = 5000;
