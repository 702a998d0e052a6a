import {
  type AttributeRule,
  invalid,
  type Kept,
  type Report,
  refuse,
  tooMany,
} from '../../attribute-rule.ts';

/** Reads the id of a record. Does not check whether the record exists. */
export function readLinkId(rule: AttributeRule, value: unknown, report: Report): Kept<string> {
  if (value === null || value === '') return null;
  const id = Number.isSafeInteger(value) ? String(value) : value;
  return typeof id === 'string' && isId(id)
    ? id
    : refuse(rule, { type: 'pattern', requirement: 'must be the id of a record' }, report);
}

/** Reads a list of ids and removes duplicates, keeping the order. Null becomes the empty list. */
export function readLinkIds(
  rule: AttributeRule & { readonly maxCount: number },
  value: unknown,
  report: Report,
): readonly string[] | undefined {
  if (value === null) return [];
  if (!Array.isArray(value)) return refuse(rule, invalid('ids', 'must be a list of ids'), report);
  const ids = new Set<string>();
  for (const id of value) {
    if (typeof id !== 'string' || !isId(id)) {
      return refuse(rule, { type: 'pattern', requirement: 'must be a list of record ids' }, report);
    }
    ids.add(id);
  }
  return ids.size > rule.maxCount ? refuse(rule, tooMany(rule.maxCount, 'id'), report) : [...ids];
}

export function isId(id: string): boolean {
  return id.length <= MAX_ID_LENGTH && idForm.test(id);
}

const idForm = /^[A-Za-z0-9_=.-]+$/;
export const MAX_ID_LENGTH = 100;
