import { mayEditField } from '../../../shared/domain/access/actor.ts';
import { amountsOf } from '../../../shared/domain/input/convert-amounts.ts';
import { type CurrencyRates, worthOf } from '../../../shared/domain/input/currency-rates.ts';
import { decideWrite, live } from '../../../shared/domain/record/decide.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { ExistingWriteRequest } from '../forwarding/write-request.ts';
import { decideChange } from '../records/input/decide-change.ts';
import { type DeriveDeps, deriveUpdate } from '../records/input/derive-update.ts';
import { noLinks } from '../records/input/resolve-links.ts';
import type { Submission } from '../writer/submission.ts';

/** Sets rates by currency code. Other rates stay unchanged. */
export function decideRates(given: Readonly<Record<string, number>>): Submission['decide'] {
  return (state) => decideWrite(state, { rates: { ...Object(state?.values['rates']), ...given } });
}

/** Converts all amounts of a record that the actor may edit to the currency that the body names. */
export function decideCurrency(
  { actor, model, id, conditions, body }: ExistingWriteRequest<{ readonly targetCurrency: string }>,
  deps: DeriveDeps & { readonly now: () => number },
): Submission['decide'] {
  const target = body.targetCurrency;
  return (state) => {
    const current = live(state, id);
    const open = amountsOf(model).filter(({ field }) => mayEditField(actor, model, field));
    const values = inCurrency(current.values, { target, amounts: open }, deps.currencies());
    const update = { actor, model, conditions, values, problems: [], links: noLinks };
    return decideChange(model, current, deriveUpdate(current, update, deps), deps.now());
  };
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
