import type { AttributeValues } from '../../../value/attribute-values.ts';
import { capitalized } from '../../attribute.ts';
import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { valueAfter } from '../../value-after.ts';

/** First and last name in one, composed of the fields of these names. */
export interface PersonNameField extends FieldBase<'personName', never> {}

export const personNameType: FieldType<PersonNameField> = {
  name: 'personName',
  isIdentifying: true,
  search: 'beginning',
  parts: () => [{ kind: 'string', writable: false }],
  composedOf: namesOf,
  shownWithin: (field) => [`salutation${capitalized(field)}`, ...namesOf(field)],
  derive(field) {
    const names = namesOf(field);
    return [(given, current) => composeName({ field, names }, given, current)];
  },
};

/** For a field `name`: `firstName`, `lastName`. */
function namesOf(field: string): readonly string[] {
  return ['first', 'last'].map((part) => part + capitalized(field));
}

function composeName(
  { field, names }: { readonly field: string; readonly names: readonly string[] },
  given: AttributeValues,
  current: AttributeValues | null,
): AttributeValues | null {
  if (!names.some((name) => Object.hasOwn(given, name))) return null;
  const parts = names
    .map((name) => valueAfter(name, given, current))
    .filter((part) => part !== null && part !== '');
  return { [field]: parts.length === 0 ? null : parts.join(' ') };
}
