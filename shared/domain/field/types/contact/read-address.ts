import type { AttributeRule, ReadAttribute } from '../../attribute-rule.ts';
import { readText, type TextRule } from '../text/read-text.ts';

/** The parts of an address are short texts without markup characters. */
export function compileAddressPart(rule: AttributeRule): ReadAttribute {
  const part = rule.attribute.slice(rule.field.length);
  const text: TextRule = {
    ...rule,
    trim: true,
    maxLength: maxLengthOf[part] ?? 100,
    pattern: withoutMarkup,
    patternMeaning: 'must be free of the characters < > =',
  };
  return (value, report) => readText(text, value, report);
}

const maxLengthOf: Readonly<Record<string, number>> = {
  Street: 255,
  City: 100,
  State: 100,
  Country: 100,
  PostalCode: 40,
};

const withoutMarkup = /^[^<>=]*$/;

/** The ending of each part, in the order of answers. */
export const addressSuffixes: readonly string[] = Object.keys(maxLengthOf);
