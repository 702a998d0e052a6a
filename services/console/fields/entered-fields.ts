import type { Entity } from '../api/metadata.ts';
import type { Rights } from '../api/rights.ts';
import { eventFields, isEvent } from './event-times.ts';
import { fieldTypeOf, isEntered } from './field-types.ts';

/**
 * Returns the fields whose inputs a form shows for these fields: without fields that the user may not set, and with the
 * parts of composed ones. The input of an event's start includes its other times.
 */
export function enteredFields(
  entity: Entity,
  names: readonly string[],
  rights: Pick<Rights, 'mayEditField'>,
): readonly string[] {
  const withEvent = isEvent(entity) && names.includes('dateStart');
  return names
    .flatMap((name) => partsOf(entity, name))
    .filter((name) => rights.mayEditField(name))
    .filter((name) => !withEvent || name === 'dateStart' || !eventFields.has(name))
    .filter((name) => {
      const field = entity.fields[name];
      return field !== undefined && isEntered(field);
    });
}

/** Returns the fields that can be set only together with the field: the other times of an event. */
export function fieldsEnteredWith(entity: Entity, name: string): readonly string[] {
  if (!isEvent(entity) || !eventFields.has(name)) return [name];
  return [...eventFields].filter((one) => one in entity.fields);
}

function partsOf({ fields }: Entity, name: string): readonly string[] {
  const field = fields[name];
  return (field && fieldTypeOf(field).composedOf?.(name)) ?? [name];
}
