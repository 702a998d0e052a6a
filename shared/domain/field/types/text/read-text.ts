import { counted } from '../../../counted.ts';
import { type AttributeRule, type Kept, type Report, refuse } from '../../attribute-rule.ts';

export interface TextRule extends AttributeRule {
  readonly trim: boolean;
  readonly maxLength: number;
  /** Matches the whole text. */
  readonly pattern: RegExp | null;
  /** Completes "must …" if the pattern does not match. */
  readonly patternMeaning: string;
}

/** varchar, text and the like: numbers become text; a trimmed text of blanks alone is null. */
export function readText(rule: TextRule, value: unknown, report: Report): Kept<string> {
  if (value === null) return null;
  if (isInexact(value)) {
    return refuse(rule, 'valid', 'must be text: put numbers beyond 2^53 in quotes', report);
  }
  const given = toText(value);
  if (given === undefined) return refuse(rule, 'valid', 'must be text', report);
  const text = rule.trim ? given.trim() : given;
  if (text === '') return null;
  if (text.length > rule.maxLength) {
    const requirement = `must be at most ${counted(rule.maxLength, 'character')} long`;
    return refuse(rule, 'maxLength', requirement, report);
  }
  if (!isStorableText(text)) {
    return refuse(rule, 'valid', 'must be text without NUL and broken characters', report);
  }
  if (rule.pattern !== null && !rule.pattern.test(text)) {
    return refuse(rule, 'pattern', rule.patternMeaning, report);
  }
  return text;
}

/** Postgres cannot store NUL, and UTF-8 cannot encode half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** JSON parsers round such numbers, so their digits may be lost. */
function isInexact(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** Compiles a definition's pattern, which has to match the whole text. */
export function compilePattern(pattern: string | undefined): RegExp | null {
  return pattern === undefined ? null : new RegExp(`^(?:${pattern})$`, 'u');
}
