import type { EventFilter } from '../../../shared/events/event-filter.ts';
import { text } from '../../../shared/http/describe/schemas.ts';
import { badParameter, type Query, readOnce } from '../request/read-parameters.ts';

/** The valid values of `type`. */
export const eventTypes: readonly string[] = ['created', 'updated', 'deleted'];

export function readFilter(query: Query): EventFilter {
  const type = readOnce(query, 'type');
  if (type !== undefined && !eventTypes.includes(type)) {
    throw badParameter(`type must be one of ${eventTypes.join(', ')}.`);
  }
  return {
    entityType: readOnce(query, 'entityType'),
    id: readOnce(query, 'id'),
    userId: readOnce(query, 'userId'),
    type,
  };
}

/** The parameters that `readFilter` reads. */
export const filterParameters = [
  { name: 'entityType', in: 'query', schema: text },
  { name: 'id', in: 'query', schema: text },
  { name: 'userId', in: 'query', schema: text },
  { name: 'type', in: 'query', schema: { enum: eventTypes } },
] as const;
