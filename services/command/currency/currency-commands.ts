import { mayEditField } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { type FieldProblem, validationFailure } from '../../../shared/domain/errors.ts';
import {
  amountRange,
  beyondAmounts,
  isAmount,
} from '../../../shared/domain/field/types/number/read-number.ts';
import { amountsOf } from '../../../shared/domain/input/convert-amounts.ts';
import { type CurrencyRates, worthOf } from '../../../shared/domain/input/currency-rates.ts';
import { type Decision, decideWrite, live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { type AttributeValues, toObject } from '../../../shared/domain/value/attribute-values.ts';
import type { WriteRequest } from '../owner/command.ts';
import { type Deciding, defineChange } from '../owner/define-command.ts';
import { asListOf, asMapOf, asNumber, asObject, asText, optional } from '../owner/read-body.ts';
import { decideChange } from '../records/input/decide-change.ts';
import { deriveUpdate } from '../records/input/derive-update.ts';
import { fieldClosed } from '../records/input/read-values.ts';
import { noLinks } from '../records/input/resolve-links.ts';

interface CurrencyChange {
  readonly targetCurrency: string;
  /** The fields to convert. If absent, all fields that the actor may edit. */
  readonly fields?: readonly string[] | undefined;
}

/** Converts the amounts of a record to one currency. */
export const convertCurrencyCommand = defineChange({
  name: 'convert-currency',
  readBody: asObject<CurrencyChange>({
    targetCurrency: asText,
    fields: optional(asListOf(asText)),
  }),
  decide: decideCurrency,
});

/** Sets exchange rates, by currency code. Other rates remain unchanged. */
export const setRatesCommand = defineChange({
  name: 'set-rates',
  readBody: asMapOf<number>(asNumber),
  decide: (state, { body }) =>
    decideWrite(state, { rates: { ...toObject(state?.values['rates']), ...body } }),
});

function decideCurrency(
  state: RecordState | undefined,
  { actor, model, id, conditions, body }: WriteRequest<CurrencyChange>,
  { context, now }: Deciding,
): Decision | undefined {
  const { targetCurrency: target, fields } = body;
  const current = live(state, id);
  const closed = fields?.find((field) => !mayEditField(actor, model, field));
  if (closed !== undefined) throw fieldClosed(closed);
  const open = amountsOf(model).filter(({ field }) => mayEditField(actor, model, field));
  const values = inCurrency(current.values, { target, amounts: open }, context.currencies());
  requireAmounts(model, open, values);
  const update = { actor, model, conditions, values, problems: [], links: noLinks };
  return decideChange(model, current, deriveUpdate(current, update, context), now);
}

/** Rejects converted amounts that exceed the maximum for clients because of an extreme rate. */
function requireAmounts(
  model: EntityModel,
  amounts: ReturnType<typeof amountsOf>,
  values: AttributeValues,
): void {
  const [first, ...others] = amounts.flatMap(({ field, amount }): readonly FieldProblem[] => {
    const value = values[amount];
    if (typeof value !== 'number' || isAmount(value)) return [];
    return [{ field, attribute: amount, ...beyondAmounts, message: `${amount} ${amountRange}.` }];
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
