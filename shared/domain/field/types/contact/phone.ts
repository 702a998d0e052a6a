import {
  type AttributeRule,
  invalid,
  type Kept,
  type Report,
  refuse,
} from '../../attribute-rule.ts';
import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readText, type TextRule } from '../text/read-text.ts';
import { type ContactGroup, nameGroupAttributes } from './derive-group.ts';
import {
  compileGroup,
  entrySchema,
  type GroupSettings,
  groupDerivations,
  groupParts,
  USUAL_MAX_COUNT,
} from './group-parts.ts';
import {
  type GroupEntry,
  type GroupRule,
  readFlags,
  readGroupEntries,
} from './read-group-entries.ts';

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

/** Reads `phoneNumber`: international numbers are stored in E.164 (`+15550100`), national numbers as written. */
export function readPhoneNumber(rule: TextRule, value: unknown, report: Report): Kept<string> {
  const text = readText(rule, value, report);
  if (typeof text !== 'string') return text;
  const digits = text.replace(punctuation, '');
  if (internationalForm.test(digits)) return digits;
  return nationalForm.test(digits) ? text : refuseNumber(rule, report);
}

interface PhoneRule extends GroupRule {
  /** The first one is the default. */
  readonly types: readonly string[];
}

/** Reads `phoneNumberData`. */
export function readPhoneEntries(
  rule: PhoneRule,
  value: unknown,
  report: Report,
): readonly GroupEntry[] | undefined {
  return readGroupEntries(rule, value, report, (given) => {
    const number = readPhoneNumber(rule.address, given['phoneNumber'] ?? null, report);
    if (number === null) return refuseNumber(rule, report);
    const type = readType(rule, given['type'], report);
    const flags = readFlags(rule, given, report);
    if (number === undefined || type === undefined || flags === undefined) return undefined;
    return { ...toPhoneEntry(number, type), ...flags };
  });
}

/** Returns a new primary entry that is neither invalid nor opted out. */
function toPhoneEntry(number: string, type: string): GroupEntry {
  return { phoneNumber: number, type, primary: true, optOut: false, invalid: false };
}

function readType(rule: PhoneRule, given: unknown, report: Report): string | undefined {
  if (given === undefined || given === null || given === '') return rule.types[0] ?? '';
  if (typeof given === 'string' && rule.types.includes(given)) return given;
  const requirement = `must have one of these types: ${rule.types.join(', ')}`;
  return refuse(rule, invalid('option', requirement), report);
}

function refuseNumber(rule: AttributeRule, report: Report): undefined {
  return refuse(rule, invalid('phoneNumber', 'must be a telephone number'), report);
}

const punctuation = /[\s().\-/\u2010-\u2015]/g;
/** E.164: a country code and a number, with at most 15 digits; the shortest numbers in use have 7. */
const internationalForm = /^\+[1-9]\d{6,14}$/;
const nationalForm = /^\d{3,15}$/;
