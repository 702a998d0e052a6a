import type { AttributeRule, ReadAttribute } from '../../attribute-rule.ts';
import type { AttributePart } from '../../field-type.ts';
import { compilePattern } from '../text/read-text.ts';
import { readList } from './read-list.ts';

export interface ListSettings {
  /** The allowed values. */
  readonly options?: readonly string[];
  /** Allows values other than the options. */
  readonly allowCustomOptions?: boolean;
  readonly maxCount?: number;
  /** Maximum length of an entry. */
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
