import type { AttributeRule, ReadAttribute } from '../../attribute-rule.ts';
import type { AttributePart, Derive } from '../../field-type.ts';
import { compileNumber, type NumberSettings } from '../number/number-settings.ts';
import { readAmount } from '../number/read-number.ts';
import { type CurrencyAttributes, deriveCurrency, readCurrencyCode } from './derive-currency.ts';

/** Returns the parts: the amount, its currency, and the converted amount. `amount` is the name of the first. */
export function moneyParts(amount: string, example?: number): readonly AttributePart[] {
  // The field's limits do not apply to the converted amount.
  const schema = { type: ['number', 'null'] };
  return [
    { kind: 'float', schema, example },
    { suffix: 'Currency', kind: 'string' },
    { suffix: 'Converted', kind: 'float', schema, writable: false, worth: { amount } },
  ];
}

export function compileMoney(
  rule: AttributeRule,
  definition: NumberSettings,
  amounts: readonly CurrencyAttributes[],
): ReadAttribute {
  if (amounts.some(({ amount }) => amount === rule.attribute)) {
    return compileNumber(readAmount)(rule, definition);
  }
  return (value, report) => readCurrencyCode(rule, value, report);
}

export function deriveMoney(amounts: readonly CurrencyAttributes[]): readonly Derive[] {
  return amounts.map((money) => (given, current) => deriveCurrency(money, given, current));
}
