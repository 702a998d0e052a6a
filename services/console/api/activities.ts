import type { Entity, Metadata } from './metadata.ts';

/** True for the entity types of calendars: meetings, calls, tasks, and custom types of the template Event. */
export function isActivity({ name, scope, fields }: Entity): boolean {
  return (
    (name === 'Task' || scope.type === 'Event') && 'dateStart' in fields && 'dateEnd' in fields
  );
}

/** Returns the entity types of calendars that the user may read. */
export function activityTypesOf(metadata: Metadata): readonly Entity[] {
  return [...metadata.values()].filter(isActivity);
}
