import type { AttributeValues } from '../../../value/attribute-values.ts';
import { type AttributeRule, type Fault, type Report, refuse } from '../../attribute-rule.ts';
import { valueAfter } from '../../value-after.ts';

export interface CurrencyAttributes {
  readonly amount: string;
  readonly code: string;
  readonly converted: string;
}

/** An amount without a code is in the default currency. A code without an amount is cleared. */
export function deriveCurrency(
  money: CurrencyAttributes,
  given: AttributeValues,
  current: AttributeValues | null,
): AttributeValues | null {
  if (!Object.hasOwn(given, money.amount) && !Object.hasOwn(given, money.code)) return null;
  const amount = valueAfter(money.amount, given, current);
  if (amount === null) return { [money.amount]: null, [money.code]: null, [money.converted]: null };
  const code = valueAfter(money.code, given, current) ?? defaultCurrency;
  // `convertAmounts` later converts amounts in other currencies.
  return { [money.amount]: amount, [money.code]: code, [money.converted]: amount };
}

export function nameCurrencyAttributes(field: string): CurrencyAttributes {
  return { amount: field, code: `${field}Currency`, converted: `${field}Converted` };
}

/** The currency in which amounts are compared and summed. */
export const defaultCurrency = 'USD';
const codePattern = /^[A-Z]{3}$/;

export function isCurrencyCode(code: string): boolean {
  return codePattern.test(code);
}

const notACode: Fault = {
  type: 'validCurrency',
  requirement: 'must be a code of three upper-case letters',
};

/** Checks only the format of the code; `findUnknownCurrencies` checks that it has a rate. */
export function readCurrencyCode(
  rule: AttributeRule,
  value: unknown,
  report: Report,
): string | null | undefined {
  if (value === null || value === '') return null;
  return typeof value === 'string' && isCurrencyCode(value)
    ? value
    : refuse(rule, notACode, report);
}
