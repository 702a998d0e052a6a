import { counted } from '../../../counted.ts';
import {
  type AttributeRule,
  invalid,
  type ReadAttribute,
  type Report,
  refuse,
  tooMany,
} from '../../attribute-rule.ts';
import type { AttributePart } from '../../field-type.ts';
import { nameOptions } from '../choice/enum.ts';
import { compilePattern, isStorableText, unstorableText } from '../text/read-text.ts';

export interface ListSettings {
  /** The allowed values. */
  readonly options?: readonly string[];
  /** Allows values other than the options. */
  readonly allowCustomOptions?: boolean;
  readonly maxCount?: number;
  readonly maxItemLength?: number;
  /** ECMAScript pattern that every entry must match as a whole. */
  readonly pattern?: string;
}

/** Properties shared by the field types for lists of strings. */
export const listType = {
  isCreatable: true,
  isUnordered: true,
  layout: 'detail',
  parts: (): readonly AttributePart[] => [{ kind: 'strings' }],
  compileReader: (rule: AttributeRule, definition: ListSettings) => compileList(rule, definition),
} as const;

/** `usualForm` applies to entries if the definition has no pattern. */
export function compileList(
  rule: AttributeRule,
  definition: ListSettings,
  usualForm: RegExp | null = null,
): ReadAttribute {
  const { options, allowCustomOptions } = definition;
  const list = {
    ...rule,
    options: options === undefined || allowCustomOptions === true ? null : new Set(options),
    maxCount: definition.maxCount ?? MAX_LIST_COUNT,
    maxEntryLength: definition.maxItemLength ?? 100,
    pattern: compilePattern(definition.pattern) ?? usualForm,
  };
  return (value, report) => readList(list, value, report);
}

/** Keeps events far below the maximum message size even if a definition sets no limit. */
export const MAX_LIST_COUNT = 5000;

export interface ListRule extends AttributeRule {
  /** Null allows any text. */
  readonly options: ReadonlySet<string> | null;
  readonly maxCount: number;
  readonly maxEntryLength: number;
  readonly pattern: RegExp | null;
}

/** Reads a multiEnum or array: a list of trimmed strings in the order sent. Null becomes the empty list. */
export function readList(
  rule: ListRule,
  value: unknown,
  report: Report,
): readonly string[] | undefined {
  if (value === null) return [];
  if (!Array.isArray(value))
    return refuse(rule, { type: 'array', requirement: 'must be a list' }, report);
  if (value.length > rule.maxCount) {
    return refuse(rule, tooMany(rule.maxCount, 'entry'), report);
  }
  const entries: string[] = [];
  for (const given of value) {
    const entry = readEntry(rule, given, report);
    if (entry === undefined) return undefined;
    entries.push(entry);
  }
  return entries;
}

function readEntry(rule: ListRule, given: unknown, report: Report): string | undefined {
  if (typeof given !== 'string') {
    return refuse(
      rule,
      { type: 'arrayOfString', requirement: 'must be a list of strings' },
      report,
    );
  }
  const entry = given.trim();
  if (entry === '') {
    const requirement = 'must not have empty entries';
    return refuse(rule, { type: 'noEmptyString', requirement }, report);
  }
  if (entry.length > rule.maxEntryLength) {
    const { maxEntryLength: maxLength } = rule;
    const requirement = `must have entries of at most ${counted(maxLength, 'character')}`;
    return refuse(rule, { type: 'maxItemLength', requirement, parameters: { maxLength } }, report);
  }
  if (!isStorableText(entry)) {
    return refuse(rule, unstorableText, report);
  }
  if (rule.options !== null && !rule.options.has(entry)) {
    return refuse(rule, invalid('option', nameOptions(rule.options)), report);
  }
  if (rule.pattern === null || rule.pattern.test(entry)) return entry;
  const requirement = 'must only have entries that match the pattern of the field';
  return refuse(rule, { type: 'pattern', requirement }, report);
}
