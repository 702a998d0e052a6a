import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { type ContactGroup, nameGroupAttributes } from './derive-group.ts';
import {
  compileGroup,
  entrySchema,
  type GroupSettings,
  groupDerivations,
  groupParts,
  USUAL_MAX_COUNT,
} from './group-parts.ts';
import { readPhoneEntries, readPhoneNumber, toPhoneEntry } from './read-phone-group.ts';

/** Telephone numbers, one of them primary. */
export interface PhoneField extends FieldBase<'phone', string>, GroupSettings {
  /** Types of numbers; the first one is the default. */
  readonly options?: readonly string[];
}

/** Types of a person's numbers; the default for fields without options. */
export const personPhoneTypes: readonly string[] = ['Mobile', 'Office', 'Home', 'Fax', 'Other'];

export const phoneType: FieldType<PhoneField> = {
  name: 'phone',
  isCreatable: true,
  isIdentifying: true,
  search: 'digits',
  optionsName: 'typeList',
  parts: () => groupParts('+49301234567'),
  compileReader(rule, definition) {
    const { options: types = personPhoneTypes } = definition;
    return compileGroup(rule, definition, groupOf(rule.field, definition), {
      maxLength: 36,
      readAddress: readPhoneNumber,
      readEntries: (entries, value, report) =>
        readPhoneEntries({ ...entries, types }, value, report),
    });
  },
  group: groupOf,
  derive: (field, definition) => groupDerivations(groupOf(field, definition)),
  entrySchema: entrySchema('phoneEntry', 'phoneNumber', {
    phoneNumber: { type: 'string', maxLength: 36, examples: ['+49301234567'] },
    type: { type: 'string' },
  }),
};

function groupOf(field: string, definition: PhoneField): ContactGroup {
  const { maxCount = USUAL_MAX_COUNT, options = personPhoneTypes } = definition;
  const [type = ''] = options;
  return {
    ...nameGroupAttributes(field),
    addressKey: 'phoneNumber',
    comparedBy: 'phoneNumber',
    maxCount,
    toEntry: (number) => toPhoneEntry(number, type),
  };
}
