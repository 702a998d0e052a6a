import { type AttributeRule, type Report, refuse } from './attribute-rule.ts';
import { nameOptions } from './read-option.ts';

/** Other currencies need rates, which Annals does not keep yet: see settle-currency.ts. */
export const defaultCurrency = 'USD';
const currencies: ReadonlySet<string> = new Set([defaultCurrency]);

export function readCurrencyCode(
  rule: AttributeRule,
  value: unknown,
  report: Report,
): string | null | undefined {
  if (value === null || value === '') return null;
  return typeof value === 'string' && currencies.has(value)
    ? value
    : refuse(rule, 'validCurrency', nameOptions(currencies), report);
}
