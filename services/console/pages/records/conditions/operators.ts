import type { Entity } from '../../../api/metadata.ts';
import { attributesOf, fieldTypeOf } from '../../../fields/field-types.ts';
import type { MessageKey } from '../../../messages/en.ts';

/** The kind of value that an operator compares with. */
export type Operand = 'date' | 'dates' | 'days' | 'none' | 'number' | 'options' | 'record' | 'text';

export interface Operator {
  readonly type: string;
  readonly operand: Operand;
}

const of = (operand: Operand, ...types: readonly string[]): readonly Operator[] =>
  types.map((type) => ({ type, operand }));

const presence = of('none', 'isNotNull', 'isNull');
const texts = [
  ...of('text', 'contains', 'startsWith', 'endsWith', 'equals', 'notEquals', 'notContains'),
  ...of('text', 'like', 'notLike'),
  ...presence,
];
const numbers = [
  ...of('number', 'equals', 'notEquals', 'greaterThan', 'lessThan'),
  ...of('number', 'greaterThanOrEquals', 'lessThanOrEquals'),
  ...presence,
];
const times = [
  ...of('date', 'on', 'notOn', 'after', 'before'),
  ...of('dates', 'between'),
  ...of('none', 'today', 'past', 'future', 'lastSevenDays'),
  ...of('days', 'lastXDays', 'nextXDays', 'olderThanXDays', 'afterXDays'),
  ...of('none', 'currentMonth', 'lastMonth', 'nextMonth', 'currentQuarter', 'lastQuarter'),
  ...of('none', 'currentYear', 'lastYear', 'currentFiscalYear', 'lastFiscalYear'),
  ...of('none', 'currentFiscalQuarter', 'lastFiscalQuarter'),
  ...presence,
];
const options = [...of('options', 'in', 'notIn'), ...presence];
const lists = [
  ...of('options', 'arrayAnyOf', 'arrayNoneOf', 'arrayAllOf'),
  ...of('none', 'arrayIsEmpty', 'arrayIsNotEmpty'),
];
const links = [
  ...of('record', 'linkedWith', 'notLinkedWith', 'linkedWithAll'),
  ...of('none', 'isLinked', 'isNotLinked'),
];
const flags = of('none', 'isTrue', 'isFalse');

const byKind = { days: times, flags, lists, numbers, options, texts, times };

/** Returns the operators for a field or link; empty if it cannot be filtered by. */
export function operatorsOf(entity: Entity, name: string): readonly Operator[] {
  if (entity.links[name]?.entity !== undefined) return links;
  const kind = conditionsOn(entity, name);
  return kind === undefined ? [] : byKind[kind];
}

function conditionsOn(entity: Entity, name: string) {
  const field = entity.fields[name];
  if (field !== undefined) return fieldTypeOf(field).conditions;
  return addressOf(entity, name) === undefined ? undefined : 'texts';
}

/** Returns the address of which the attribute is a part, such as the city. */
function addressOf(entity: Entity, part: string): string | undefined {
  return addressesOf(entity).find((name) => attributesOf(entity, name).includes(part));
}

export function addressesOf({ fields }: Entity): readonly string[] {
  return Object.keys(fields).filter((name) => fields[name]?.type === 'address');
}

/** True for fields whose conditions include a time zone. */
export function isTimeField(entity: Entity, name: string): boolean {
  return conditionsOn(entity, name) === 'times';
}

/** A link to many "includes" a record, and a link to one "is" that record. */
export function operatorText(entity: Entity, attribute: string, type: string): MessageKey {
  const linkType = entity.links[attribute]?.type;
  if (linkType === 'belongsTo' || linkType === 'hasOne') {
    if (type === 'linkedWith') return 'operators.equals';
    if (type === 'notLinkedWith') return 'operators.notEquals';
  }
  return `operators.${type}` as MessageKey;
}
