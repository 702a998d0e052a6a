import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { deriveConverted } from './derive-converted.ts';
import { nameCurrencyAttributes } from './derive-currency.ts';

/** Another field's amount in the default currency, or a percentage of it. */
export interface CurrencyConvertedField extends FieldBase<'currencyConverted', never> {
  readonly amount?: string;
  /** The attribute that has the percentage; absent: the whole amount. */
  readonly percent?: string;
}

export const currencyConvertedType: FieldType<CurrencyConvertedField> = {
  name: 'currencyConverted',
  layout: 'detail',
  parts: (_, { amount, percent }) => [
    {
      kind: 'float',
      writable: false,
      ...(amount === undefined ? {} : { worth: { amount, percent: percent ?? 100 } }),
    },
  ],
  sources: ({ amount, percent }) => [amount, percent],
  // Clients expect a share of an amount to be a plain number.
  describe: ({ percent }) => (percent === undefined ? {} : { type: 'float' }),
  deriveFromOthers(field, { amount, percent }) {
    if (amount === undefined) return undefined;
    const converted = { field, amount: nameCurrencyAttributes(amount).converted, percent };
    return (_, current, derived) => deriveConverted(converted, derived, current);
  },
};
