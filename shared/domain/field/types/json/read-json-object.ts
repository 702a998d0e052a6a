import type { AttributeValue } from '../../../value/attribute-values.ts';
import { type AttributeRule, invalid, type Report, refuse } from '../../attribute-rule.ts';
import { isStorableText } from '../text/read-text.ts';

/** Reads a JSON object. PHP clients send an empty one as `[]`. */
export function readJsonObject(
  rule: AttributeRule,
  value: unknown,
  report: Report,
): AttributeValue | undefined {
  if (value === null) return null;
  if (Array.isArray(value) && value.length === 0) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    return refuse(rule, invalid('jsonObject', 'must be a JSON object'), report);
  }
  return storable(rule, value, report);
}

/** Reads any JSON list. */
export function readJsonArray(
  rule: AttributeRule,
  value: unknown,
  report: Report,
): AttributeValue | undefined {
  if (value === null) return null;
  if (!Array.isArray(value))
    return refuse(rule, invalid('jsonList', 'must be a JSON list'), report);
  return storable(rule, value, report);
}

function storable(rule: AttributeRule, value: unknown, report: Report): AttributeValue | undefined {
  if (isStorableJson(value, MAX_DEPTH)) return value;
  const requirement = `must be JSON with at most ${MAX_DEPTH} levels and without __proto__, NUL or unpaired surrogates`;
  return refuse(rule, invalid('storable', requirement), report);
}

/** `levels` is the remaining depth of nested lists and objects, including this level. */
export function isStorableJson(value: unknown, levels: number): value is AttributeValue {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value === 'boolean';
  if (value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((entry) => isStorableJson(entry, levels - 1));
  return Object.entries(value).every(
    ([key, entry]) =>
      key !== '__proto__' && isStorableText(key) && isStorableJson(entry, levels - 1),
  );
}

const MAX_DEPTH = 32;
