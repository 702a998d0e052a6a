import type { Entity } from '../../../api/metadata.ts';

/** What a condition compares with. */
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

const byFieldType: Readonly<Record<string, readonly Operator[]>> = {
  array: lists,
  autoincrement: numbers,
  bool: flags,
  checklist: lists,
  currency: numbers,
  currencyConverted: numbers,
  date: times,
  datetime: times,
  datetimeOptional: times,
  duration: numbers,
  enum: options,
  enumFloat: numbers,
  enumInt: numbers,
  float: numbers,
  int: numbers,
  multiEnum: lists,
  urlMultiple: lists,
};

/** What can be asked of a field or link of a type; nothing of what cannot be asked for. */
export function operatorsOf(entity: Entity, name: string): readonly Operator[] {
  if (entity.links[name]?.entity !== undefined) return links;
  const type = entity.fields[name]?.type;
  if (type === undefined || withoutConditions.has(type)) return [];
  return byFieldType[type] ?? texts;
}

const withoutConditions: ReadonlySet<string> = new Set([
  'address',
  'attachmentMultiple',
  'decimal',
  'file',
  'image',
  'jsonArray',
  'jsonObject',
  'linkMultiple',
  'linkOne',
  'linkParent',
  'rangeCurrency',
  'rangeFloat',
  'rangeInt',
]);

/** Conditions on times say where their days begin. */
export function isTimeField(entity: Entity, name: string): boolean {
  return entity.fields[name]?.type.startsWith('datetime') === true;
}
