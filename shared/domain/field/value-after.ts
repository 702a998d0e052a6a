import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';

/** The value of the attribute after the given values are written; null if it was never set. */
export function valueAfter(
  attribute: string,
  given: AttributeValues,
  current: AttributeValues | null,
): AttributeValue {
  return (
    given[attribute] ?? (Object.hasOwn(given, attribute) ? null : (current?.[attribute] ?? null))
  );
}
