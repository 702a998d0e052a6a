import type { EntityModel } from '../entity/model/entity-model.ts';
import { perModel } from '../entity/model/per-model.ts';
import type { FieldProblem } from '../errors.ts';
import { fieldTypeOf } from '../field/field-types.ts';
import { nameOptions } from '../field/types/choice/enum.ts';
import type { CurrencyAttributes } from '../field/types/money/derive-currency.ts';
import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';
import { type CurrencyRates, worthOf } from './currency-rates.ts';
import { compileFollowing } from './field-plan.ts';

/** Returns the amounts of an entity type, each with its field. A range field has two amounts. */
export const amountsOf = perModel(
  ({ fields }): readonly (CurrencyAttributes & { readonly field: string })[] =>
    [...fields].flatMap(([field, definition]) =>
      (fieldTypeOf(definition).amounts?.(field) ?? []).map((amount) => ({ field, ...amount })),
    ),
);

const followersOf = perModel(compileFollowing);

/** Reports currency codes that have no rate. */
export function findUnknownCurrencies(
  model: EntityModel,
  values: AttributeValues,
  rates: CurrencyRates,
): readonly FieldProblem[] {
  return amountsOf(model).flatMap(({ field, code }) => {
    const value = values[code];
    if (typeof value !== 'string' || rates.has(value)) return [];
    const message = `${code} ${nameOptions(new Set(rates.keys()))}. Administrators can add currencies with PUT CurrencyRate.`;
    return [{ field, type: 'validCurrency', message }];
  });
}

/**
 * Adds the amounts in the default currency. An amount that equals the one in `current` keeps its conversion, so that a
 * new rate alone does not change a record. Reads convert at current rates.
 */
export function convertAmounts(
  model: EntityModel,
  { after, current }: { readonly after: AttributeValues; readonly current: AttributeValues | null },
  rates: CurrencyRates,
): AttributeValues {
  if (rates.size === 1) return after;
  const converted: Record<string, AttributeValue> = {};
  for (const { amount, code, converted: name } of amountsOf(model)) {
    const value = after[amount];
    if (typeof value !== 'number') continue;
    const isSame = current !== null && current[amount] === value && current[code] === after[code];
    converted[name] = isSame ? (current[name] ?? null) : worthOf(value, after[code], rates);
  }
  for (const derive of followersOf(model)) {
    Object.assign(converted, derive({}, current, { ...after, ...converted }));
  }
  return { ...after, ...converted };
}
