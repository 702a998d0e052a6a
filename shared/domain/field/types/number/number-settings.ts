import type { AttributeValue } from '../../../value/attribute-values.ts';
import type { AttributeRule, ReadAttribute, ReadBy } from '../../attribute-rule.ts';
import type { AttributePart } from '../../field-type.ts';
import { type NumberRule, readFloat, readInt } from './read-number.ts';

export interface NumberSettings {
  readonly min?: number;
  readonly max?: number;
}

export function compileNumber(
  read: ReadBy<NumberRule, AttributeValue>,
): (rule: AttributeRule, definition: NumberSettings) => ReadAttribute {
  return (rule, { min = -Infinity, max = Infinity }) => {
    const range = { ...rule, min, max };
    return (value, report) => read(range, value, report);
  };
}

export const compileInt = compileNumber(readInt);
export const compileFloat = compileNumber(readFloat);

/** Returns the parts with both prefixes: `fromAge`, `toAge`. */
export function fromAndTo(parts: readonly AttributePart[]): readonly AttributePart[] {
  return ['from', 'to'].flatMap((prefix) => parts.map((part) => ({ ...part, prefix })));
}
