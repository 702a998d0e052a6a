import { type AttributeRule, type Report, refuse } from '../../attribute-rule.ts';

/** The currency in which amounts are compared and summed. */
export const defaultCurrency = 'USD';
const codePattern = /^[A-Z]{3}$/;

export function isCurrencyCode(code: string): boolean {
  return codePattern.test(code);
}

/** Checks only the format of the code; `findUnknownCurrencies` checks that it has a rate. */
export function readCurrencyCode(
  rule: AttributeRule,
  value: unknown,
  report: Report,
): string | null | undefined {
  if (value === null || value === '') return null;
  return typeof value === 'string' && isCurrencyCode(value)
    ? value
    : refuse(rule, 'validCurrency', 'must be a code of three upper-case letters', report);
}
