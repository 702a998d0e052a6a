import type { EntityDefinition } from '../entity-definition.ts';

/** What currencies there are, and what they are worth: one record for all of them. */
export const currencyRatesDefinition: EntityDefinition = {
  name: 'CurrencyRates',
  log: 'directory',
  isObject: false,
  isInternal: true,
  orderBy: 'createdAt',
  order: 'desc',
  fields: {
    // By code, in the default currency.
    rates: { type: 'jsonObject', readOnly: true },
  },
};
