import { fieldTypeOf } from '../../field/field-types.ts';
import type { EntityDefinition } from './entity-definition.ts';

/** Sortable in every entity type that is an object. */
const always: ReadonlySet<string> = new Set(['createdAt', 'modifiedAt', 'assignedUser']);

/** True if lists of the entity type can be sorted by the field by default. */
export function isSortable(name: string, fields: EntityDefinition['fields']): boolean {
  if (always.has(name)) return true;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field !== undefined && field.notStored !== true && fieldTypeOf(field).isUnordered !== true;
}
