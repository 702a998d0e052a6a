import type { EntityDefinition } from '../definition/entity-definition.ts';
import { internalRecords } from './common-settings.ts';

/** The currencies and their rates, all in a single record. */
export const currencyRatesDefinition: EntityDefinition = {
  ...internalRecords,
  name: 'CurrencyRates',
  log: 'directory',
  fields: {
    // Keyed by currency code: the value of one unit in the default currency.
    rates: { type: 'jsonObject', readOnly: true },
  },
};
