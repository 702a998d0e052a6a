import { type Actor, requireScope } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { nameOptions } from '../../../shared/domain/field/types/choice/enum.ts';
import { defaultCurrency } from '../../../shared/domain/field/types/money/derive-currency.ts';
import { amountsOf } from '../../../shared/domain/input/convert-amounts.ts';
import { type CurrencyRates, ratesIn } from '../../../shared/domain/input/currency-rates.ts';

/**
 * The mass actions that also work on a single record, by name, with a predicate for the supported entity types. No
 * entity type supports locking. The permission to edit the record is sufficient.
 */
const single: ReadonlyMap<string, (model: EntityModel) => boolean> = new Map([
  [
    'convertCurrency',
    (model: EntityModel) => model.definition.log === 'records' && amountsOf(model).length > 0,
  ],
  ['lock', () => false],
  ['unlock', () => false],
]);

/** Returns a predicate for the entity types that support an action on single records. Rejects unknown actions. */
export function requireSingleAction(action: string): (model: EntityModel) => boolean {
  const isFor = single.get(action);
  if (isFor !== undefined) return isFor;
  throw new Refusal(
    'not_found',
    'action.unknown',
    'This action does not exist for single records.',
  );
}

interface AskedConversion {
  readonly action: string;
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads the target currency for the amounts of one record. */
export function planConversion(
  { action, actor, model, data }: AskedConversion,
  directory: Directory,
): { readonly targetCurrency: string } {
  if (!requireSingleAction(action)(model)) {
    const message = `Action '${action}' is not allowed for ${model.name}.`;
    throw new Refusal('forbidden', 'mass_action.not_allowed', message);
  }
  requireScope(actor, model.name, 'edit');
  return { targetCurrency: readTargetCurrency(data, ratesIn(directory)) };
}

/** Reads the currency that amounts are converted to. */
export function readTargetCurrency(
  data: Readonly<Record<string, unknown>>,
  currencies: CurrencyRates,
): string {
  const { targetCurrency = defaultCurrency } = data;
  if (typeof targetCurrency === 'string' && currencies.has(targetCurrency)) return targetCurrency;
  throw badActionData(`'data.targetCurrency' ${nameOptions(new Set(currencies.keys()))}.`);
}

/** Returns the refusal for invalid `data` in an action on one or more records. */
export function badActionData(message: string): Refusal {
  return new Refusal('invalid', 'mass_action.data', message);
}
