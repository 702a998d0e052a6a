import type { AttributeRule, ReadAttribute } from '../../attribute-rule.ts';
import type { AttributePart } from '../../field-type.ts';
import { compilePattern } from '../text/read-text.ts';
import { readList } from './read-list.ts';

export interface ListSettings {
  /** The values that are allowed. */
  readonly options?: readonly string[];
  /** Other values than the options are allowed. */
  readonly allowCustomOptions?: boolean;
  readonly maxCount?: number;
  /** Maximum length of an entry. */
  readonly maxItemLength?: number;
  /** ECMAScript pattern that every entry must match as a whole. */
  readonly pattern?: string;
}

/** What types of fields for lists of texts have in common. */
export const listType = {
  isCreatable: true,
  isUnordered: true,
  layout: 'detail',
  parts: (): readonly AttributePart[] => [{ kind: 'strings' }],
  compileReader: (rule: AttributeRule, definition: ListSettings) => compileList(rule, definition),
} as const;

/** `usualForm` is the form of an entry if the definition has no pattern. */
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

/** Keeps an event far below the maximum size of a message even if a definition sets no limit. */
export const MAX_LIST_COUNT = 5000;
