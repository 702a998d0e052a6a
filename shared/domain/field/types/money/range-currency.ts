import { capitalized } from '../../attribute.ts';
import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import type { NumberSettings } from '../number/number-settings.ts';
import { nameCurrencyAttributes } from './derive-currency.ts';
import { compileMoney, deriveMoney, moneyParts } from './money-parts.ts';

const ends = ['from', 'to'];
const amountsOf = (field: string) =>
  ends.map((end) => nameCurrencyAttributes(end + capitalized(field)));

/** A range between two amounts of money, either of which may be missing. */
export const rangeCurrencyType: FieldType<FieldBase<'rangeCurrency', never> & NumberSettings> = {
  name: 'rangeCurrency',
  isUnordered: true,
  parts: (field) =>
    ends.flatMap((prefix) =>
      moneyParts(prefix + capitalized(field)).map((part) => ({ ...part, prefix })),
    ),
  compileReader: (rule, definition) => compileMoney(rule, definition, amountsOf(rule.field)),
  amounts: amountsOf,
  derive: (field) => deriveMoney(amountsOf(field)),
};
