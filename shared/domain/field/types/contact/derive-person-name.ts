import type { AttributeValues } from '../../../value/attribute-values.ts';
import { capitalized } from '../../attribute.ts';
import { valueAfter } from '../../value-after.ts';

export interface PersonAttributes {
  readonly name: string;
  readonly first: string;
  readonly last: string;
}

/** Composes `name` of `firstName` and `lastName`. */
export function derivePersonName(
  person: PersonAttributes,
  given: AttributeValues,
  current: AttributeValues | null,
): AttributeValues | null {
  if (!Object.hasOwn(given, person.first) && !Object.hasOwn(given, person.last)) return null;
  const parts = [
    valueAfter(person.first, given, current),
    valueAfter(person.last, given, current),
  ].filter((part) => part !== null && part !== '');
  return { [person.name]: parts.length === 0 ? null : parts.join(' ') };
}

/** For a field `name`: `firstName`, `lastName`. */
export function namePersonAttributes(field: string): PersonAttributes {
  const suffix = capitalized(field);
  return { name: field, first: `first${suffix}`, last: `last${suffix}` };
}
