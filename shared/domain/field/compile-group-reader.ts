import type { FieldDefinition } from '../entity/entity-definition.ts';
import { personPhoneTypes } from '../entity/stock/person-options.ts';
import type { AttributeRule, ReadAttribute } from './attribute-rule.ts';
import { readBool } from './read-bool.ts';
import { readEmailAddress, readEmailEntries } from './read-email-group.ts';
import type { AddressKey, GroupRule } from './read-group-entries.ts';
import { readPhoneEntries, readPhoneNumber } from './read-phone-group.ts';
import { compilePattern, type TextRule } from './read-text.ts';

/** `emailAddress`, `emailAddressData` and the two flags of the primary address. */
export function compileEmailReader(
  rule: AttributeRule,
  definition: FieldDefinition,
): ReadAttribute {
  const address = addressRule(rule, definition, 255);
  if (rule.attribute === rule.field) {
    return (value, report) => readEmailAddress(address, value, report);
  }
  if (rule.attribute !== `${rule.field}Data`) {
    return (value, report) => readBool(rule, value, report);
  }
  const group = groupRule(rule, definition, 'emailAddress');
  return (value, report) => readEmailEntries(group, address, value, report);
}

/** `phoneNumber`, `phoneNumberData` and the two flags of the primary number. */
export function compilePhoneReader(
  rule: AttributeRule,
  definition: FieldDefinition,
): ReadAttribute {
  const number = addressRule(rule, definition, 36);
  if (rule.attribute === rule.field) {
    return (value, report) => readPhoneNumber(number, value, report);
  }
  if (rule.attribute !== `${rule.field}Data`) {
    return (value, report) => readBool(rule, value, report);
  }
  const group = {
    ...groupRule(rule, definition, 'phoneNumber'),
    types: phoneTypesOf(definition),
  };
  return (value, report) => readPhoneEntries(group, number, value, report);
}

export function phoneTypesOf(definition: FieldDefinition): readonly string[] {
  return definition.options ?? personPhoneTypes;
}

function addressRule(
  rule: AttributeRule,
  definition: FieldDefinition,
  maxLength: number,
): TextRule {
  return {
    ...rule,
    trim: true,
    maxLength: definition.maxLength ?? maxLength,
    pattern: compilePattern(definition.pattern),
    patternMeaning: 'must have the form set for it',
  };
}

function groupRule(
  rule: AttributeRule,
  definition: FieldDefinition,
  addressKey: AddressKey,
): GroupRule {
  return { ...rule, addressKey, maxCount: definition.maxCount ?? 10 };
}
