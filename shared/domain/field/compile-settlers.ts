import type { FieldDefinition } from '../entity/entity-definition.ts';
import type { EntityModel } from '../entity/entity-model.ts';
import type { AttributeValues } from '../record/attribute-values.ts';
import { phoneTypesOf } from './compile-group-reader.ts';
import { toEmailEntry } from './read-email-group.ts';
import { toPhoneEntry } from './read-phone-group.ts';
import { nameCurrencyAttributes, settleCurrency } from './settle-currency.ts';
import { type ContactGroup, nameGroupAttributes, settleGroup } from './settle-group.ts';
import { namePersonAttributes, settlePersonName } from './settle-person-name.ts';

/** What follows for a field's attributes from the given ones; null if none of them was given. */
export type Settle = (
  given: AttributeValues,
  current: AttributeValues | null,
) => AttributeValues | null;

export function compileSettlers(model: EntityModel): readonly Settle[] {
  return [...model.fields].flatMap(([field, definition]) => {
    const settle = compileSettle(field, definition);
    return settle === null ? [] : [settle];
  });
}

function compileSettle(field: string, definition: FieldDefinition): Settle | null {
  if (definition.type === 'personName') {
    const person = namePersonAttributes(field);
    return (given, current) => settlePersonName(person, given, current);
  }
  if (definition.type === 'currency') {
    const money = nameCurrencyAttributes(field);
    return (given, current) => settleCurrency(money, given, current);
  }
  if (definition.valueBy !== undefined) {
    const { attribute, values } = definition.valueBy;
    return (given) => settleByValue(field, given, { attribute, values });
  }
  const group = describeGroup(field, definition);
  return group === null ? null : (given, current) => settleGroup(group, given, current);
}

/** Follows the other attribute, unless a value of its own comes with it. */
function settleByValue(
  field: string,
  given: AttributeValues,
  { attribute, values }: NonNullable<FieldDefinition['valueBy']>,
): AttributeValues | null {
  const option = given[attribute];
  const isGiven = given[field] !== undefined && given[field] !== null;
  if (isGiven || typeof option !== 'string' || !Object.hasOwn(values, option)) return null;
  return { [field]: values[option] ?? null };
}

function describeGroup(field: string, definition: FieldDefinition): ContactGroup | null {
  const names = nameGroupAttributes(field);
  if (definition.type === 'email') {
    return { ...names, addressKey: 'emailAddress', toEntry: toEmailEntry };
  }
  if (definition.type === 'phone') {
    const [type = ''] = phoneTypesOf(definition);
    return {
      ...names,
      addressKey: 'phoneNumber',
      toEntry: (number) => toPhoneEntry(number, type),
    };
  }
  return null;
}
