import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { valueAfter } from '../../value-after.ts';
import { nameCurrencyAttributes } from './derive-currency.ts';

/** The amount of another field, or a percentage of it, in the default currency. */
export interface CurrencyConvertedField extends FieldBase<'currencyConverted', never> {
  readonly amount?: string;
  /** The attribute that contains the percentage. If absent, the whole amount is converted. */
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
  // Clients expect a plain number for a share of an amount.
  describe: ({ percent }) => (percent === undefined ? {} : { type: 'float' }),
  deriveFromOthers(field, { amount, percent }) {
    if (amount === undefined) return undefined;
    const { converted } = nameCurrencyAttributes(amount);
    const watched = percent === undefined ? [converted] : [converted, percent];
    return (_, current, derived) => {
      if (!watched.some((name) => Object.hasOwn(derived, name))) return null;
      const whole = valueAfter(converted, derived, current);
      const share = percent === undefined ? 100 : valueAfter(percent, derived, current);
      const isKnown = typeof whole === 'number' && typeof share === 'number';
      return { [field]: isKnown ? Math.round(whole * share) / 100 : null };
    };
  },
};
