import type { AttributeValue, AttributeValues } from '../record/attribute-values.ts';

/** What the attribute holds once the given values are written; an attribute never set is null. */
export function valueAfter(
  attribute: string,
  given: AttributeValues,
  current: AttributeValues | null,
): AttributeValue {
  return (
    given[attribute] ?? (Object.hasOwn(given, attribute) ? null : (current?.[attribute] ?? null))
  );
}
