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
  derive: (field, { format = 'firstLast' }) => {
    const parts = namesOf(field, ['first', 'middle', 'last']);
    const shown = namesOf(field, personNameFormats[format]);
    return [(given, current) => composeName({ field, parts, shown }, given, current)];
  },
};

export function isPersonNameFormat(value: unknown): value is PersonNameFormat {
  return typeof value === 'string' && Object.hasOwn(personNameFormats, value);
}

/** Returns `firstName`, `middleName`, `lastName` for a field `name`. */
function namesOf(field: string, parts: readonly string[]): readonly string[] {
  return parts.map((part) => part + capitalized(field));
}

interface ComposedName {
  readonly field: string;
  /** All fields from which the name is composed. */
  readonly parts: readonly string[];
  /** The fields that the format shows, in display order. */
  readonly shown: readonly string[];
}

function composeName(
  { field, parts, shown }: ComposedName,
  given: AttributeValues,
  current: AttributeValues | null,
): AttributeValues | null {
  if (!parts.some((name) => Object.hasOwn(given, name))) return null;
  const values = shown
    .map((name) => valueAfter(name, given, current))
    .filter((part) => part !== null && part !== '');
  return { [field]: values.length === 0 ? null : values.join(' ') };
}
