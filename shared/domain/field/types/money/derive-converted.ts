import type { AttributeValues } from '../../../value/attribute-values.ts';
import { valueAfter } from '../../value-after.ts';

/** An amount in the default currency, or the percentage of it that another attribute has. */
export function deriveConverted(
  {
    field,
    amount,
    percent,
  }: { readonly field: string; readonly amount: string; readonly percent: string | undefined },
  derived: AttributeValues,
  current: AttributeValues | null,
): AttributeValues | null {
  const watched = percent === undefined ? [amount] : [amount, percent];
  if (!watched.some((name) => Object.hasOwn(derived, name))) return null;
  const whole = valueAfter(amount, derived, current);
  const share = percent === undefined ? 100 : valueAfter(percent, derived, current);
  const isKnown = typeof whole === 'number' && typeof share === 'number';
  return { [field]: isKnown ? Math.round(whole * share) / 100 : null };
}
