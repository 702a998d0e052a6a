import { type AttributeRule, invalid, type Report, refuse } from '../../attribute-rule.ts';

/** Reads a boolean. Empty values become false, never null. */
export function readBool(rule: AttributeRule, value: unknown, report: Report): boolean | undefined {
  return toBool(value) ?? refuse(rule, invalid('boolean', 'must be true or false'), report);
}

/** Also accepts numbers and strings in any case, as clients send them. Returns undefined for anything else. */
function toBool(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return meanings.get(typeof value === 'string' ? value.trim().toLowerCase() : value);
}

const meanings: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [1, true],
  ['1', true],
  ['true', true],
  [0, false],
  ['0', false],
  ['false', false],
  ['', false],
  [null, false],
]);
