import type { Directory } from '../directory/directory.ts';
import { defaultCurrency } from '../field/types/money/derive-currency.ts';
import type { RecordState } from '../record/record-state.ts';
import { toObject } from '../value/attribute-values.ts';

/** The entity type of the rates in the log, and the id of its only record. */
export const currencyRatesType = 'CurrencyRates';
export const currencyRatesId = 'rates';

/** The value of one unit of each currency in the default currency, which itself has the rate 1. */
export type CurrencyRates = ReadonlyMap<string, number>;

const onlyDefault: CurrencyRates = new Map([[defaultCurrency, 1]]);
const cache = new WeakMap<RecordState, CurrencyRates>();

/** Returns the current rates. Cached per version of the record. */
export function ratesIn({ record }: Pick<Directory, 'record'>): CurrencyRates {
  const state = record(currencyRatesType, currencyRatesId);
  if (state === undefined) return onlyDefault;
  const known = cache.get(state);
  if (known !== undefined) return known;
  const rates = toRates(state);
  cache.set(state, rates);
  return rates;
}

function toRates({ values }: RecordState): CurrencyRates {
  const rates = Object.entries(toObject(values['rates']));
  return new Map([...onlyDefault, ...rates.map(([code, rate]) => [code, Number(rate)] as const)]);
}

/** Returns the rates in the form that the API uses, without the default currency. */
export function toRateBody(rates: CurrencyRates): Readonly<Record<string, number>> {
  return Object.fromEntries([...rates].filter(([code]) => code !== defaultCurrency));
}

/**
 * Converts an amount to the default currency, rounded to hundredths; amounts already in that currency are not rounded.
 * Never returns Infinity, because the log may contain larger amounts than decisions accept today.
 */
export function worthOf(amount: number, code: unknown, rates: CurrencyRates): number {
  const rate = typeof code === 'string' ? (rates.get(code) ?? 1) : 1;
  if (code === defaultCurrency) return amount;
  const worth = Math.round(amount * rate * 100) / 100;
  return Number.isFinite(worth) ? worth : amount;
}
