import type { RecordEvent } from '../domain/record/record-event.ts';

/** The values that an event must have; undefined matches every value. */
export type EventFilter = Readonly<
  Record<'entityType' | 'id' | 'userId' | 'type', string | undefined>
>;

export function isWanted(
  { entityType, id, userId, type }: EventFilter,
  event: RecordEvent,
): boolean {
  return (
    (entityType === undefined || event.entityType === entityType) &&
    (id === undefined || event.recordId === id) &&
    (userId === undefined || [event.actorId, event.administratorId].includes(userId)) &&
    (type === undefined || event.type.toLowerCase() === type)
  );
}
