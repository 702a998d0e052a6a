import type { AttributeValues } from '../../../value/attribute-values.ts';
import { capitalized } from '../../attribute.ts';
import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { valueAfter } from '../../value-after.ts';

/** Per format: the parts of a name in display order. */
export const personNameFormats = {
  firstLast: ['first', 'last'],
  lastFirst: ['last', 'first'],
  firstMiddleLast: ['first', 'middle', 'last'],
  lastFirstMiddle: ['last', 'first', 'middle'],
} as const;

export type PersonNameFormat = keyof typeof personNameFormats;

export interface PersonNameField extends FieldBase<'personName', never> {
  /** Defaults to `firstLast`. */
  readonly format?: PersonNameFormat;
}

/** A full name composed of the first, middle and last name fields. */
export const personNameType: FieldType<PersonNameField> = {
  name: 'personName',
  isIdentifying: true,
  search: 'beginning',
  parts: () => [{ kind: 'string', writable: false }],
  composedOf: (field) => namesOf(field, ['first', 'middle', 'last']),
  shownWithin: (field) => namesOf(field, ['salutation', 'first', 'middle', 'last']),
  derive: (field, { format = 'firstLast' }) => [
    (given, current) => composeName({ field, format }, given, current),
  ],
};

export function isPersonNameFormat(value: unknown): value is PersonNameFormat {
  return typeof value === 'string' && Object.hasOwn(personNameFormats, value);
}

/** Returns `firstName`, `middleName`, `lastName` for a field `name`. */
function namesOf(field: string, parts: readonly string[]): readonly string[] {
  return parts.map((part) => part + capitalized(field));
}

function composeName(
  { field, format }: { readonly field: string; readonly format: PersonNameFormat },
  given: AttributeValues,
  current: AttributeValues | null,
): AttributeValues | null {
  const names = namesOf(field, ['first', 'middle', 'last']);
  if (!names.some((name) => Object.hasOwn(given, name))) return null;
  const parts = namesOf(field, personNameFormats[format])
    .map((name) => valueAfter(name, given, current))
    .filter((part) => part !== null && part !== '');
  return { [field]: parts.length === 0 ? null : parts.join(' ') };
}
