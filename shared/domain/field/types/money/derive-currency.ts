import type { AttributeValues } from '../../../value/attribute-values.ts';
import { valueAfter } from '../../value-after.ts';
import { defaultCurrency } from './read-currency-code.ts';

export interface CurrencyAttributes {
  readonly amount: string;
  readonly code: string;
  readonly converted: string;
}

/** An amount without a code is in the default currency; a code without an amount means nothing. */
export function deriveCurrency(
  money: CurrencyAttributes,
  given: AttributeValues,
  current: AttributeValues | null,
): AttributeValues | null {
  if (!Object.hasOwn(given, money.amount) && !Object.hasOwn(given, money.code)) return null;
  const amount = valueAfter(money.amount, given, current);
  if (amount === null) return { [money.amount]: null, [money.code]: null, [money.converted]: null };
  const code = valueAfter(money.code, given, current) ?? defaultCurrency;
  // `convertAmounts` converts amounts in other currencies than the default one.
  return { [money.amount]: amount, [money.code]: code, [money.converted]: amount };
}

export function nameCurrencyAttributes(field: string): CurrencyAttributes {
  return { amount: field, code: `${field}Currency`, converted: `${field}Converted` };
}
