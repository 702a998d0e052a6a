import { mayEditField } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { validationFailure } from '../../../shared/domain/errors.ts';
import { amountRange, isAmount } from '../../../shared/domain/field/types/number/read-number.ts';
import { amountsOf } from '../../../shared/domain/input/convert-amounts.ts';
import { type CurrencyRates, worthOf } from '../../../shared/domain/input/currency-rates.ts';
import { decideWrite, live } from '../../../shared/domain/record/decide.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { CommandContext } from '../context.ts';
import type { WriteRequest } from '../owner/command.ts';
import { decideChange } from '../records/input/decide-change.ts';
import { deriveUpdate } from '../records/input/derive-update.ts';
import { fieldClosed } from '../records/input/read-values.ts';
import { noLinks } from '../records/input/resolve-links.ts';
import type { Submission } from '../writer/submission.ts';

/** Sets rates by currency code. Other rates stay unchanged. */
export function decideRates(given: Readonly<Record<string, number>>): Submission['decide'] {
  return (state) => decideWrite(state, { rates: { ...Object(state?.values['rates']), ...given } });
}

export interface CurrencyChange {
  readonly targetCurrency: string;
  /** The fields to convert. If absent, all fields that the actor may edit. */
  readonly fields?: readonly string[] | undefined;
}

/** Converts amounts of a record to the currency that the body names. */
export function decideCurrency(
  { actor, model, id, conditions, body }: WriteRequest<CurrencyChange>,
  context: CommandContext,
): Submission['decide'] {
  const { targetCurrency: target, fields } = body;
  return (state) => {
    const current = live(state, id);
    const closed = fields?.find((field) => !mayEditField(actor, model, field));
    if (closed !== undefined) throw fieldClosed(closed);
    const open = amountsOf(model).filter(({ field }) => mayEditField(actor, model, field));
    const values = inCurrency(current.values, { target, amounts: open }, context.currencies());
    requireAmounts(model, open, values);
    const update = { actor, model, conditions, values, problems: [], links: noLinks };
    return decideChange(model, current, deriveUpdate(current, update, context), context.now());
  };
}

/** Rejects amounts that extreme rates made larger than a client could write. */
function requireAmounts(
  model: EntityModel,
  amounts: ReturnType<typeof amountsOf>,
  values: AttributeValues,
): void {
  const [first, ...others] = amounts.flatMap(({ field, amount }) => {
    const value = values[amount];
    if (typeof value !== 'number' || isAmount(value)) return [];
    return [{ field, type: 'inPermittedRange', message: `${amount} ${amountRange}.` }];
  });
  if (first !== undefined) throw validationFailure(model.name, [first, ...others]);
}

function inCurrency(
  values: AttributeValues,
  { target, amounts }: { readonly target: string; readonly amounts: ReturnType<typeof amountsOf> },
  rates: CurrencyRates,
): AttributeValues {
  const rate = rates.get(target);
  const changed: Record<string, number | string> = {};
  for (const { amount, code } of amounts) {
    const value = values[amount];
    if (typeof value !== 'number' || values[code] === target || rate === undefined) continue;
    changed[amount] = Math.round((worthOf(value, values[code], rates) / rate) * 100) / 100;
    changed[code] = target;
  }
  return changed;
}
