import type { EntityDefinition, FieldType } from './entity-definition.ts';

/** Of every entity type that is an object. */
const always: ReadonlySet<string> = new Set(['createdAt', 'modifiedAt', 'assignedUser']);
const unordered: ReadonlySet<FieldType> = new Set([
  'multiEnum',
  'checklist',
  'array',
  'urlMultiple',
  'jsonObject',
  'jsonArray',
  'linkMultiple',
  'linkParent',
  'attachmentMultiple',
  'rangeInt',
  'rangeFloat',
  'rangeCurrency',
  'secret',
]);

/** Whether the lists of an entity type may be sorted by a field of it as long as nobody asks for another order. */
export function isSortable(name: string, fields: EntityDefinition['fields']): boolean {
  if (always.has(name)) return true;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field !== undefined && field.notStored !== true && !unordered.has(field.type);
}
