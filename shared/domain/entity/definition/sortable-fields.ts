import { fieldTypeOf } from '../../field/field-types.ts';
import type { EntityDefinition } from './entity-definition.ts';

/** For every entity type that is an object. */
const always: ReadonlySet<string> = new Set(['createdAt', 'modifiedAt', 'assignedUser']);

/** Whether a field can be the default order of an entity type's lists. */
export function isSortable(name: string, fields: EntityDefinition['fields']): boolean {
  if (always.has(name)) return true;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field !== undefined && field.notStored !== true && fieldTypeOf(field).isUnordered !== true;
}
