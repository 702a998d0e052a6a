import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import type { NumberSettings } from '../number/number-settings.ts';
import { nameCurrencyAttributes } from './derive-currency.ts';
import { compileMoney, deriveMoney, moneyParts } from './money-parts.ts';

/** An amount of money in one of the currencies. */
export interface CurrencyField extends FieldBase<'currency', number>, NumberSettings {}

const amountsOf = (field: string) => [nameCurrencyAttributes(field)];

export const currencyType: FieldType<CurrencyField> = {
  name: 'currency',
  isCreatable: true,
  parts(field) {
    const [amount, ...others] = moneyParts(field);
    return amount === undefined ? [] : [{ ...amount, example: 500 }, ...others];
  },
  compileReader: (rule, definition) => compileMoney(rule, definition, amountsOf(rule.field)),
  amounts: amountsOf,
  derive: (field) => deriveMoney(amountsOf(field)),
  describeParts: () => ({ Converted: { type: 'currencyConverted', readOnly: true } }),
};
