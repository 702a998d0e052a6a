import { type AttributeRule, type Report, refuse } from '../../attribute-rule.ts';

/** Never null. Scalars are always accepted; a list or an object is a mistake of the client. */
export function readBool(rule: AttributeRule, value: unknown, report: Report): boolean | undefined {
  return typeof value === 'object' && value !== null
    ? refuse(rule, 'valid', 'must be true or false', report)
    : toBool(value);
}

/** True for `true`, `1`, `"1"` and `"true"`, false for any other scalar, as clients of the record API expect. */
export function toBool(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true';
}
