import { capitalized } from '../../attribute.ts';
import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { derivePersonName, namePersonAttributes } from './derive-person-name.ts';

/** First and last name in one, composed of the fields of these names. */
export interface PersonNameField extends FieldBase<'personName', never> {}

export const personNameType: FieldType<PersonNameField> = {
  name: 'personName',
  isIdentifying: true,
  search: 'beginning',
  parts: () => [{ kind: 'string', writable: false }],
  composedOf(field) {
    const { first, last } = namePersonAttributes(field);
    return [first, last];
  },
  shownWithin(field) {
    const { first, last } = namePersonAttributes(field);
    return [`salutation${capitalized(field)}`, first, last];
  },
  derive(field) {
    const person = namePersonAttributes(field);
    return [(given, current) => derivePersonName(person, given, current)];
  },
};
