import { Refusal } from '../../../shared/domain/errors.ts';
import { nameOptions } from '../../../shared/domain/field/types/choice/read-option.ts';
import { defaultCurrency } from '../../../shared/domain/field/types/money/read-currency-code.ts';
import type { CurrencyRates } from '../../../shared/domain/input/currency-rates.ts';

/** Reads the currency that amounts are converted to. */
export function readTargetCurrency(
  data: Readonly<Record<string, unknown>>,
  currencies: CurrencyRates,
): string {
  const { targetCurrency = defaultCurrency } = data;
  if (typeof targetCurrency === 'string' && currencies.has(targetCurrency)) return targetCurrency;
  throw badActionData(`'data.targetCurrency' ${nameOptions(new Set(currencies.keys()))}.`);
}

/** Refusal of invalid `data` of an action, for one record or many. */
export function badActionData(message: string): Refusal {
  return new Refusal('invalid', 'mass_action.data', message);
}
