import type { AttributeValues } from '../../../value/attribute-values.ts';
import { capitalized } from '../../attribute.ts';
import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { valueAfter } from '../../value-after.ts';

/** First, middle and last name in one, composed of the fields of these names. */
export const personNameType: FieldType<FieldBase<'personName', never>> = {
  name: 'personName',
  isIdentifying: true,
  search: 'beginning',
  parts: () => [{ kind: 'string', writable: false }],
  composedOf: namesOf,
  shownWithin: (field) => [`salutation${capitalized(field)}`, ...namesOf(field)],
  derive: (field) => [(given, current) => composeName(field, given, current)],
};

/** For a field `name`: `firstName`, `middleName`, `lastName`. */
function namesOf(field: string): readonly string[] {
  return ['first', 'middle', 'last'].map((part) => part + capitalized(field));
}

function composeName(
  field: string,
  given: AttributeValues,
  current: AttributeValues | null,
): AttributeValues | null {
  const names = namesOf(field);
  if (!names.some((name) => Object.hasOwn(given, name))) return null;
  const parts = names
    .map((name) => valueAfter(name, given, current))
    .filter((part) => part !== null && part !== '');
  return { [field]: parts.length === 0 ? null : parts.join(' ') };
}
