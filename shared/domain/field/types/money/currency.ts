import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import type { NumberSettings } from '../number/number-settings.ts';
import { nameCurrencyAttributes } from './derive-currency.ts';
import { compileMoney, deriveMoney, moneyParts } from './money-parts.ts';

const amountsOf = (field: string) => [nameCurrencyAttributes(field)];

/** An amount of money in one of the currencies. */
export const currencyType: FieldType<FieldBase<'currency', number> & NumberSettings> = {
  name: 'currency',
  isCreatable: true,
  parts: (field) => moneyParts(field, 500),
  compileReader: (rule, definition) => compileMoney(rule, definition, amountsOf(rule.field)),
  amounts: amountsOf,
  derive: (field) => deriveMoney(amountsOf(field)),
  describeParts: () => ({ Converted: { type: 'currencyConverted', readOnly: true } }),
};
