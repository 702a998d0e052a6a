import { counted } from '../../../counted.ts';
import {
  type AttributeRule,
  type Fault,
  invalid,
  type Kept,
  type Report,
  refuse,
} from '../../attribute-rule.ts';

export interface TextRule extends AttributeRule {
  readonly trim: boolean;
  readonly maxLength: number;
  /** Must match the whole text. */
  readonly pattern: RegExp | null;
  /** Completes the message for a value that does not match the pattern: "must …". */
  readonly patternMeaning: string;
}

/** Reads text for varchar, text and similar types. Numbers become text. Text that is blank after trimming becomes null. */
export function readText(rule: TextRule, value: unknown, report: Report): Kept<string> {
  if (value === null) return null;
  if (isInexact(value)) {
    return refuse(
      rule,
      invalid('text', 'must be text (send numbers beyond 2^53 as strings)'),
      report,
    );
  }
  const given = toText(value);
  if (given === undefined) return refuse(rule, invalid('text', 'must be text'), report);
  const text = rule.trim ? given.trim() : given;
  if (text === '') return null;
  if (text.length > rule.maxLength) {
    const { maxLength } = rule;
    const requirement = `must be at most ${counted(maxLength, 'character')} long`;
    return refuse(rule, { type: 'maxLength', requirement, parameters: { maxLength } }, report);
  }
  if (!isStorableText(text)) {
    return refuse(rule, unstorableText, report);
  }
  if (rule.pattern !== null && !rule.pattern.test(text)) {
    return refuse(rule, { type: 'pattern', requirement: rule.patternMeaning }, report);
  }
  return text;
}

export const unstorableText: Fault = invalid(
  'storable',
  'must be text without NUL or unpaired surrogates',
);

/** Postgres cannot store NUL, and UTF-8 cannot encode unpaired surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** JSON parsers round such numbers, so digits may have been lost. */
function isInexact(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** Compiles a definition's pattern so that it must match the whole text. */
export function compilePattern(pattern: string | undefined): RegExp | null {
  return pattern === undefined ? null : new RegExp(`^(?:${pattern})$`, 'u');
}
