import { capitalized } from '../entity/attributes.ts';
import type { FieldDefinition } from '../entity/entity-definition.ts';
import type { EntityModel } from '../entity/entity-model.ts';
import type { AttributeValues } from '../record/attribute-values.ts';
import { phoneTypesOf } from './compile-group-reader.ts';
import { toEmailEntry } from './read-email-group.ts';
import { toPhoneEntry } from './read-phone-group.ts';
import { settleByValue } from './settle-by-value.ts';
import { settleConverted } from './settle-converted.ts';
import { nameCurrencyAttributes, settleCurrency } from './settle-currency.ts';
import { settleDuration } from './settle-duration.ts';
import { type ContactGroup, nameGroupAttributes, settleGroup } from './settle-group.ts';
import { settleOptionalTime } from './settle-optional-time.ts';
import { namePersonAttributes, settlePersonName } from './settle-person-name.ts';

/** What follows for a field's attributes from the given ones; null if none of them was given. */
export type Settle = (
  given: AttributeValues,
  current: AttributeValues | null,
  /** What is to be written as far as it is known: the given values, defaults, and what earlier settlers said. */
  settled: AttributeValues,
) => AttributeValues | null;

/** What follows from other fields comes after those, whatever their order in the definition. */
export function compileSettlers(model: EntityModel): readonly Settle[] {
  const fields = [...model.fields];
  return [
    ...fields.flatMap(([field, definition]) => compileSettle(field, definition)),
    ...fields.flatMap(([field, definition]) => compileFollowing(model, field, definition)),
    ...fields.flatMap(([field, definition]) => compileConverted(field, definition)),
  ];
}

function compileFollowing(
  model: EntityModel,
  field: string,
  definition: FieldDefinition,
): readonly Settle[] {
  const { valueBy, start, end } = definition;
  if (valueBy !== undefined) {
    return [(given, _, settled) => settleByValue(field, valueBy, { given, settled })];
  }
  if (definition.type === 'duration' && start !== undefined && end !== undefined) {
    const mayBeDays = [start, end].every(
      (name) => model.fields.get(name)?.type === 'datetimeOptional',
    );
    const names = { duration: field, start, end, mayBeDays };
    return [(given, current, settled) => settleDuration(names, given, { current, settled })];
  }
  return [];
}

function compileConverted(
  field: string,
  { type, amount, percent }: FieldDefinition,
): readonly Settle[] {
  if (type !== 'currencyConverted' || amount === undefined) return [];
  const converted = { field, amount: nameCurrencyAttributes(amount).converted, percent };
  return [(_, current, settled) => settleConverted(converted, settled, current)];
}

function compileSettle(field: string, definition: FieldDefinition): readonly Settle[] {
  if (definition.type === 'personName') {
    const person = namePersonAttributes(field);
    return [(given, current) => settlePersonName(person, given, current)];
  }
  if (definition.type === 'currency') {
    const money = nameCurrencyAttributes(field);
    return [(given, current) => settleCurrency(money, given, current)];
  }
  if (definition.type === 'rangeCurrency') {
    return ['from', 'to'].map((end) => {
      const money = nameCurrencyAttributes(end + capitalized(field));
      return (given, current) => settleCurrency(money, given, current);
    });
  }
  if (definition.type === 'datetimeOptional') return [(given) => settleOptionalTime(field, given)];
  const group = describeGroup(field, definition);
  return group === null ? [] : [(given, current) => settleGroup(group, given, current)];
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
