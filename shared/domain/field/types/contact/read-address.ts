import type { AttributeRule, ReadAttribute } from '../../attribute-rule.ts';
import { readText, type TextRule } from '../text/read-text.ts';

/** The parts of an address are short texts without markup characters. */
export function compileAddressPart(rule: AttributeRule): ReadAttribute {
  const part = rule.attribute.slice(rule.field.length);
  const text: TextRule = {
    ...rule,
    trim: true,
    maxLength: addressLengths[part] ?? 100,
    pattern: withoutMarkup,
    patternMeaning: 'must be free of the characters < > =',
  };
  return (value, report) => readText(text, value, report);
}

/** The length of each part, by its ending in the order of answers. */
export const addressLengths: Readonly<Record<string, number>> = {
  Street: 255,
  City: 100,
  State: 100,
  Country: 100,
  PostalCode: 40,
};

const withoutMarkup = /^[^<>=]*$/;
