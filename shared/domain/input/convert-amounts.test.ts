import { describe, expect, it } from 'vitest';
import { createDirectory } from '../directory/directory.ts';
import { buildEntityModel, type EntityModel } from '../entity/model/entity-model.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import { convertAmounts, findUnknownCurrencies } from './convert-amounts.ts';
import { currencyRatesId, currencyRatesType, ratesIn, toRateBody } from './currency-rates.ts';

const opportunity = createDirectory(stockDefinitions).entity('Opportunity') as EntityModel;
const ranged = buildEntityModel({
  name: 'Ranged',
  log: 'records',
  isObject: true,
  orderBy: 'createdAt',
  order: 'asc',
  fields: { budget: { type: 'rangeCurrency' } },
});

const rates = ratesIn({
  record: (entityType, id) => ({
    entityType,
    id,
    version: 1,
    deleted: false,
    values: { rates: { EUR: 1.1, JPY: 0.007 } },
  }),
});
const none = ratesIn({ record: () => undefined });
const deal = { amount: 100.1, amountCurrency: 'EUR', amountConverted: 100.1, probability: 50 };

describe('ratesIn', () => {
  it('returns the rates of the record and always includes the default currency', () => {
    expect([currencyRatesType, currencyRatesId]).toEqual(['CurrencyRates', 'rates']);
    expect(Object.fromEntries(rates)).toEqual({ USD: 1, EUR: 1.1, JPY: 0.007 });
    expect(toRateBody(rates)).toEqual({ EUR: 1.1, JPY: 0.007 });
    expect(Object.fromEntries(none)).toEqual({ USD: 1 });
  });
});

describe('convertAmounts', () => {
  it('converts amounts and the values derived from them', () => {
    const after = convertAmounts(opportunity, { after: deal, current: null }, rates);
    expect(after).toEqual({ ...deal, amountConverted: 110.11, amountWeightedConverted: 55.06 });
    expect(deal.amountConverted).toBe(100.1);
  });

  it('does not round amounts in the default currency', () => {
    const after = { ...deal, amount: 1.2345, amountCurrency: 'USD' };
    expect(convertAmounts(opportunity, { after, current: null }, rates)).toMatchObject({
      amountConverted: 1.2345,
    });
  });

  it('keeps the conversion of unchanged amounts and converts changed amounts', () => {
    const current = { ...deal, amountConverted: 99 };
    const converted = (after: typeof deal) =>
      convertAmounts(opportunity, { after, current }, rates)['amountConverted'];
    expect(converted(deal)).toBe(99);
    expect(converted({ ...deal, amount: 200 })).toBe(220);
    expect(converted({ ...deal, amountCurrency: 'USD' })).toBe(100.1);
  });

  it('does not change amounts that the write omits', () => {
    const after = { name: 'Other' };
    expect(convertAmounts(opportunity, { after, current: deal }, rates)).toEqual(after);
    const emptied = { amount: null, amountCurrency: null, amountConverted: null };
    expect(convertAmounts(opportunity, { after: emptied, current: deal }, rates)).toMatchObject(
      emptied,
    );
  });

  it('converts both amounts of a range', () => {
    const after = {
      fromBudget: 1,
      fromBudgetCurrency: 'EUR',
      toBudget: 1000,
      toBudgetCurrency: 'JPY',
    };
    expect(convertAmounts(ranged, { after, current: null }, rates)).toMatchObject({
      fromBudgetConverted: 1.1,
      toBudgetConverted: 7,
    });
  });
});

it('reports currencies without a rate under their field', () => {
  expect(findUnknownCurrencies(opportunity, deal, rates)).toEqual([]);
  expect(findUnknownCurrencies(opportunity, { amountCurrency: null }, none)).toEqual([]);
  expect(findUnknownCurrencies(opportunity, deal, none)).toEqual([
    {
      field: 'amount',
      type: 'validCurrency',
      message:
        'amountCurrency must be one of: USD. Administrators can add currencies with PUT CurrencyRate.',
    },
  ]);
  expect(findUnknownCurrencies(ranged, { toBudgetCurrency: 'XXX' }, rates)).toMatchObject([
    {
      field: 'budget',
      message:
        'toBudgetCurrency must be one of: USD, EUR, JPY. Administrators can add currencies with PUT CurrencyRate.',
    },
  ]);
});
