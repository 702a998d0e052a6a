import type { EntityDefinition } from '../definition/entity-definition.ts';

/** The currencies and their rates, all in one record. */
export const currencyRatesDefinition: EntityDefinition = {
  name: 'CurrencyRates',
  log: 'directory',
  isObject: false,
  isInternal: true,
  orderBy: 'createdAt',
  order: 'desc',
  fields: {
    // By currency code: the value of one unit in the default currency.
    rates: { type: 'jsonObject', readOnly: true },
  },
};
