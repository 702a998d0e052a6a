import type { AttributeRule, ReadAttribute } from '../../attribute-rule.ts';
import { compilePattern } from '../text/read-text.ts';
import { readList } from './read-list.ts';

export interface ListSettings {
  /** The values allowed. */
  readonly options?: readonly string[];
  /** The options are a proposal. */
  readonly allowCustomOptions?: boolean;
  readonly maxCount?: number;
  /** Characters of an entry. */
  readonly maxItemLength?: number;
  /** ECMAScript pattern that every whole entry must match. */
  readonly pattern?: string;
}

/** `usualForm` is that of an entry where the definition has no pattern. */
export function compileList(
  rule: AttributeRule,
  definition: ListSettings,
  usualForm: RegExp | null = null,
): ReadAttribute {
  const { options, allowCustomOptions } = definition;
  const list = {
    ...rule,
    options: options === undefined || allowCustomOptions === true ? null : new Set(options),
    maxCount: definition.maxCount ?? maxListCount,
    maxEntryLength: definition.maxItemLength ?? 100,
    pattern: compilePattern(definition.pattern) ?? usualForm,
  };
  return (value, report) => readList(list, value, report);
}

/** Keeps one event far below the size of a message even where a definition sets no limit. */
export const maxListCount = 5000;
