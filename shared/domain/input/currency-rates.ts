import type { Directory } from '../directory/directory.ts';
import { defaultCurrency } from '../field/types/money/read-currency-code.ts';
import type { RecordState } from '../record/record-state.ts';

/** The entity type of the rates in the log, and the id of its only record. */
export const currencyRatesType = 'CurrencyRates';
export const currencyRatesId = 'rates';

/** What one unit of each currency is worth in the default one. The default currency itself has 1. */
export type CurrencyRates = ReadonlyMap<string, number>;

const onlyDefault: CurrencyRates = new Map([[defaultCurrency, 1]]);
const made = new WeakMap<RecordState, CurrencyRates>();

/** The present rates; computed once per revision of the record. */
export function ratesIn({ record }: Pick<Directory, 'record'>): CurrencyRates {
  const state = record(currencyRatesType, currencyRatesId);
  if (state === undefined) return onlyDefault;
  const known = made.get(state) ?? toRates(state);
  made.set(state, known);
  return known;
}

function toRates({ values }: RecordState): CurrencyRates {
  const rates = Object.entries<unknown>(Object(values['rates'] ?? {}));
  return new Map([...onlyDefault, ...rates.map(([code, rate]) => [code, Number(rate)] as const)]);
}

/** In the form of the API: without the default currency. */
export function toRateBody(rates: CurrencyRates): Readonly<Record<string, number>> {
  return Object.fromEntries([...rates].filter(([code]) => code !== defaultCurrency));
}

/**
 * An amount in the default currency, rounded to hundredths unless it already is in that currency. It is never infinite:
 * entries of the log may have larger amounts than decisions accept today.
 */
export function worthOf(amount: number, code: unknown, rates: CurrencyRates): number {
  const rate = typeof code === 'string' ? (rates.get(code) ?? 1) : 1;
  if (code === defaultCurrency) return amount;
  const worth = Math.round(amount * rate * 100) / 100;
  return Number.isFinite(worth) ? worth : amount;
}
