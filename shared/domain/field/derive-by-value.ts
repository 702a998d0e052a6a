import type { AttributeValues } from '../value/attribute-values.ts';
import type { FieldBase } from './field-base.ts';

/** Follows the other attribute when that is written, unless the request gives a value of its own. */
export function deriveByValue(
  field: string,
  { attribute, values }: NonNullable<FieldBase['valueBy']>,
  { given, derived }: { readonly given: AttributeValues; readonly derived: AttributeValues },
): AttributeValues | null {
  const option = derived[attribute];
  const isGiven = given[field] !== undefined && given[field] !== null;
  if (isGiven || typeof option !== 'string' || !Object.hasOwn(values, option)) return null;
  return { [field]: values[option] ?? null };
}
