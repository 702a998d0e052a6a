import type { AttributeValues } from '../value/attribute-values.ts';
import type { FieldBase } from './field-base.ts';

/** Follows the other attribute when that is written, unless the request gives a value of its own. */
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
