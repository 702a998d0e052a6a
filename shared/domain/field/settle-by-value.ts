import type { AttributeValues } from '../record/attribute-values.ts';
import type { FieldBase } from './field-base.ts';

/** Follows the other attribute where that is written, unless a value of its own comes with it. */
export function settleByValue(
  field: string,
  { attribute, values }: NonNullable<FieldBase['valueBy']>,
  { given, settled }: { readonly given: AttributeValues; readonly settled: AttributeValues },
): AttributeValues | null {
  const option = settled[attribute];
  const isGiven = given[field] !== undefined && given[field] !== null;
  if (isGiven || typeof option !== 'string' || !Object.hasOwn(values, option)) return null;
  return { [field]: values[option] ?? null };
}
