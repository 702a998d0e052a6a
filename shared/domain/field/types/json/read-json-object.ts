import type { AttributeValue } from '../../../value/attribute-values.ts';
import { type AttributeRule, type Report, refuse } from '../../attribute-rule.ts';
import { isStorableText } from '../text/read-text.ts';

/** A JSON object. PHP clients write an empty one as `[]`. */
export function readJsonObject(
  rule: AttributeRule,
  value: unknown,
  report: Report,
): AttributeValue | undefined {
  if (value === null) return null;
  if (Array.isArray(value) && value.length === 0) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    return refuse(rule, 'valid', 'must be a JSON object', report);
  }
  return storable(rule, value, report);
}

/** Any JSON list. */
export function readJsonArray(
  rule: AttributeRule,
  value: unknown,
  report: Report,
): AttributeValue | undefined {
  if (value === null) return null;
  if (!Array.isArray(value)) return refuse(rule, 'valid', 'must be a JSON list', report);
  return storable(rule, value, report);
}

function storable(rule: AttributeRule, value: unknown, report: Report): AttributeValue | undefined {
  if (isStorableJson(value, MAX_DEPTH)) return value;
  const form = `must be JSON of at most ${MAX_DEPTH} levels, without __proto__, NUL and broken characters`;
  return refuse(rule, 'valid', form, report);
}

/** `levels` is how deep lists and objects may still be nested, this level included. */
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
