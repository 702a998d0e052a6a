import type { AttributeRule, ReadAttribute } from '../../attribute-rule.ts';
import { compilePattern, readText, type TextRule } from './read-text.ts';

export interface TextSettings {
  /** Maximum length in UTF-16 code units. */
  readonly maxLength?: number;
  /** ECMAScript pattern that the whole value must match. */
  readonly pattern?: string;
}

interface Limits {
  readonly trim: boolean;
  readonly maxLength: number;
}

/** One line, trimmed. */
export const shortLine: Limits = { trim: true, maxLength: 255 };
/** Text that is kept as written. */
export const longText: Limits = { trim: false, maxLength: Infinity };

/** `limits` apply if the definition sets none. */
export function compileText(
  rule: AttributeRule,
  definition: TextSettings,
  limits: Limits,
): ReadAttribute {
  const text = textRule(rule, definition, limits);
  return (value, report) => readText(text, value, report);
}

export function textRule(
  rule: AttributeRule,
  definition: TextSettings,
  { trim, maxLength }: Limits,
): TextRule {
  return {
    ...rule,
    trim,
    maxLength: definition.maxLength ?? maxLength,
    pattern: compilePattern(definition.pattern),
    patternMeaning: 'must match the pattern of the field',
  };
}
