import { fieldTypeOf } from '../field/field-types.ts';
import type { EntityDefinition } from './entity-definition.ts';

/** Of every entity type that is an object. */
const always: ReadonlySet<string> = new Set(['createdAt', 'modifiedAt', 'assignedUser']);

/** Whether the lists of an entity type may be sorted by a field of it as long as nobody asks for another order. */
export function isSortable(name: string, fields: EntityDefinition['fields']): boolean {
  if (always.has(name)) return true;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field !== undefined && field.notStored !== true && fieldTypeOf(field).isUnordered !== true;
}
