import { type AttributeRule, type Report, refuse } from '../../attribute-rule.ts';

/** In which amounts are compared and added up. */
export const defaultCurrency = 'USD';
const codePattern = /^[A-Z]{3}$/;

export function isCurrencyCode(code: string): boolean {
  return codePattern.test(code);
}

/** Whether there is such a currency is asked where its rate is known: see `findUnknownCurrencies`. */
export function readCurrencyCode(
  rule: AttributeRule,
  value: unknown,
  report: Report,
): string | null | undefined {
  if (value === null || value === '') return null;
  return typeof value === 'string' && isCurrencyCode(value)
    ? value
    : refuse(rule, 'validCurrency', 'must be a code of three capital letters', report);
}
