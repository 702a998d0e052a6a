import type { AttributeRule, ReadAttribute } from '../../attribute-rule.ts';
import type { AttributePart } from '../../field-type.ts';
import { type NumberRule, readFloat, readInt } from './read-number.ts';

export interface NumberSettings {
  readonly min?: number;
  readonly max?: number;
}

export function compileInt(rule: AttributeRule, definition: NumberSettings): ReadAttribute {
  const range = withRange(rule, definition);
  return (value, report) => readInt(range, value, report);
}

export function compileFloat(rule: AttributeRule, definition: NumberSettings): ReadAttribute {
  const range = withRange(rule, definition);
  return (value, report) => readFloat(range, value, report);
}

export function withRange(
  rule: AttributeRule,
  { min = -Infinity, max = Infinity }: NumberSettings,
): NumberRule {
  return { ...rule, min, max };
}

/** The same attributes with both prefixes: `fromAge`, `toAge`. */
export function fromAndTo(parts: readonly AttributePart[]): readonly AttributePart[] {
  return ['from', 'to'].flatMap((prefix) => parts.map((part) => ({ ...part, prefix })));
}
