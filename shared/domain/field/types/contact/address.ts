import { mapValues } from '../../../value/map-values.ts';
import type { AttributeRule, ReadAttribute } from '../../attribute-rule.ts';
import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readText, type TextRule } from '../text/read-text.ts';

/** Maximum length of each part, by suffix in the order of responses. */
const addressLengths: Readonly<Record<string, number>> = {
  Street: 255,
  City: 100,
  State: 100,
  Country: 100,
  PostalCode: 40,
};
const addressSuffixes = Object.keys(addressLengths);

/** A postal address. */
export const addressType: FieldType<FieldBase<'address', never>> = {
  name: 'address',
  isCreatable: true,
  carriers: addressSuffixes,
  sortedBy: ['Country', 'City', 'Street'],
  layout: 'detail',
  parts: () => addressSuffixes.map((suffix) => ({ suffix, kind: 'string' })),
  compileReader: compileAddressPart,
  describeParts: () =>
    mapValues(addressLengths, (maxLength, suffix) => ({
      type: suffix === 'Street' ? 'text' : 'varchar',
      maxLength,
    })),
};

/** Compiles the reader for a part of an address: short text without markup characters. */
function compileAddressPart(rule: AttributeRule): ReadAttribute {
  const part = rule.attribute.slice(rule.field.length);
  const text: TextRule = {
    ...rule,
    trim: true,
    maxLength: addressLengths[part] ?? 100,
    pattern: withoutMarkup,
    patternMeaning: 'must not contain < > or =',
  };
  return (value, report) => readText(text, value, report);
}

const withoutMarkup = /^[^<>=]*$/;
