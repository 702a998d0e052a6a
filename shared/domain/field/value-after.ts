import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';

/** Returns the value of an attribute after the new values are written; null if it was never set. */
export function valueAfter(
  attribute: string,
  given: AttributeValues,
  current: AttributeValues | null,
): AttributeValue {
  return (
    given[attribute] ?? (Object.hasOwn(given, attribute) ? null : (current?.[attribute] ?? null))
  );
}
