import { type AttributeRule, type Report, refuse } from '../../attribute-rule.ts';

/** Never null: whatever empties the attribute makes it false. */
export function readBool(rule: AttributeRule, value: unknown, report: Report): boolean | undefined {
  return toBool(value) ?? refuse(rule, 'valid', 'must be true or false', report);
}

/** What clients send for a boolean: also as number or text, in any case. Undefined for anything else. */
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
