import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';
import { formatDateTime } from '../value/date-time.ts';
import { type RecordEvent, restoration } from './record-event.ts';
import type { RecordState } from './record-state.ts';

/**
 * Applies an event to a record. Never throws, because the event has already happened. `created` supplies values of a
 * new record that the event omits.
 */
export function evolve(
  state: RecordState | undefined,
  event: RecordEvent,
  created: AttributeValues = {},
): RecordState {
  const { entityType, recordId: id, version } = event;
  const before = event.type === 'Created' ? created : state?.values;
  const values: Record<string, AttributeValue> = { ...before };
  for (const { attribute, after } of event.changes) {
    if (attribute !== restoration.attribute) values[attribute] = after;
  }
  for (const [attribute, value] of systemValues(event)) values[attribute] = value;
  return { entityType, id, version, deleted: event.type === 'Deleted', values };
}

/** Returns the system attributes set by an event. Clients expect `modifiedById` to be null until the first update. */
export function systemValues(
  event: RecordEvent,
): readonly (readonly [attribute: string, value: AttributeValue])[] {
  const time = formatDateTime(event.occurredAt);
  return event.type === 'Created'
    ? [
        ['createdAt', time],
        ['modifiedAt', time],
        ['createdById', event.actorId],
        ['modifiedById', null],
      ]
    : [
        ['modifiedAt', time],
        ['modifiedById', event.actorId],
      ];
}
