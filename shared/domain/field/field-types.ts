import type { Attribute } from './attribute.ts';
import type { ReadAttribute } from './attribute-rule.ts';
import type { FieldBase } from './field-base.ts';
import type { FieldType } from './field-type.ts';
import { boolType } from './types/choice/bool.ts';
import { enumType } from './types/choice/enum.ts';
import { addressType } from './types/contact/address.ts';
import { emailType } from './types/contact/email.ts';
import { personNameType } from './types/contact/person-name.ts';
import { phoneType } from './types/contact/phone.ts';
import { attachmentMultipleType } from './types/file/attachment-multiple.ts';
import { fileType } from './types/file/file.ts';
import { imageType } from './types/file/image.ts';
import { jsonArrayType } from './types/json/json-array.ts';
import { jsonObjectType } from './types/json/json-object.ts';
import { foreignType } from './types/link/foreign.ts';
import { linkType } from './types/link/link.ts';
import { linkMultipleType } from './types/link/link-multiple.ts';
import { linkOneType } from './types/link/link-one.ts';
import { linkParentType } from './types/link/link-parent.ts';
import { arrayType } from './types/list/array.ts';
import { checklistType } from './types/list/checklist.ts';
import { multiEnumType } from './types/list/multi-enum.ts';
import { urlMultipleType } from './types/list/url-multiple.ts';
import { currencyType } from './types/money/currency.ts';
import { currencyConvertedType } from './types/money/currency-converted.ts';
import { rangeCurrencyType } from './types/money/range-currency.ts';
import { autoincrementType } from './types/number/autoincrement.ts';
import { decimalType } from './types/number/decimal.ts';
import { enumFloatType } from './types/number/enum-float.ts';
import { enumIntType } from './types/number/enum-int.ts';
import { floatType } from './types/number/float.ts';
import { intType } from './types/number/int.ts';
import { numberType } from './types/number/number.ts';
import { rangeFloatType } from './types/number/range-float.ts';
import { rangeIntType } from './types/number/range-int.ts';
import { barcodeType } from './types/text/barcode.ts';
import { colorpickerType } from './types/text/colorpicker.ts';
import { secretType } from './types/text/secret.ts';
import { textType } from './types/text/text.ts';
import { urlType } from './types/text/url.ts';
import { varcharType } from './types/text/varchar.ts';
import { wysiwygType } from './types/text/wysiwyg.ts';
import { dateType } from './types/time/date.ts';
import { datetimeType } from './types/time/datetime.ts';
import { datetimeOptionalType } from './types/time/datetime-optional.ts';
import { durationType } from './types/time/duration.ts';

/** All field types. To add one, create a file in types/ and list it here. */
export const fieldTypes = [
  varcharType,
  textType,
  wysiwygType,
  barcodeType,
  colorpickerType,
  enumType,
  urlType,
  secretType,
  numberType,
  personNameType,
  boolType,
  intType,
  enumIntType,
  durationType,
  autoincrementType,
  floatType,
  enumFloatType,
  decimalType,
  dateType,
  datetimeType,
  datetimeOptionalType,
  multiEnumType,
  checklistType,
  urlMultipleType,
  arrayType,
  jsonObjectType,
  jsonArrayType,
  emailType,
  phoneType,
  addressType,
  currencyType,
  currencyConvertedType,
  rangeIntType,
  rangeFloatType,
  rangeCurrencyType,
  linkType,
  linkOneType,
  linkMultipleType,
  fileType,
  imageType,
  attachmentMultipleType,
  linkParentType,
  foreignType,
] as const;

const byName: ReadonlyMap<string, FieldType> = new Map(fieldTypes.map((type) => [type.name, type]));

/** Returns the field type of this name, or undefined. */
export function findFieldType(name: unknown): FieldType | undefined {
  return typeof name === 'string' ? byName.get(name) : undefined;
}

export function fieldTypeOf({ type }: FieldBase): FieldType {
  const known = findFieldType(type);
  if (known === undefined) throw new Error(`Unknown field type '${type}'.`);
  return known;
}

/** Returns the entity types of the records whose ids a field stores. */
export function linkedTypesOf(field: FieldBase): readonly string[] {
  return fieldTypeOf(field).linkedTypes?.(field) ?? [];
}

export const fieldTypeNames: readonly string[] = fieldTypes.map(({ name }) => name);

/** Compiles the reader of client values for the attribute; null if clients cannot set it. */
export function compileReader(
  { name, field, writable }: Attribute,
  definition: FieldDefinition,
): ReadAttribute | null {
  if (!writable) return null;
  return fieldTypeOf(definition).compileReader?.({ field, attribute: name }, definition) ?? null;
}

/** True if Annals numbers new records in this field. */
export function isCounted(definition: FieldDefinition | undefined): boolean {
  return definition !== undefined && fieldTypeOf(definition).showNumber !== undefined;
}

/** Formats the number as shown in records: `INV-00007`, or 7 if the field has no prefix or padding. */
export function formatNumber(
  definition: FieldDefinition | undefined,
  number: number,
): string | number {
  return (definition && fieldTypeOf(definition).showNumber?.(definition, number)) ?? number;
}

type DefinitionOf<Type> = Type extends FieldType<infer Definition> ? Definition : never;
type Definitions = DefinitionOf<(typeof fieldTypes)[number]>;
type KeyOf<Union> = Union extends unknown ? keyof Union : never;
/** Declares the settings of other types as absent, so that code can read any setting of any field. */
type Exact<Union, Key extends PropertyKey> = Union extends unknown
  ? Union & { readonly [Absent in Exclude<Key, keyof Union>]?: undefined }
  : never;

/**
 * The definition of a field: a union, discriminated by `type`, of the settings of the types in types/. A field has one
 * or more attributes (an address has five), see attributes-of.ts. Plain data: stock definitions are written and custom
 * definitions are logged in this form.
 */
export type FieldDefinition = Exact<Definitions, KeyOf<Definitions>>;
