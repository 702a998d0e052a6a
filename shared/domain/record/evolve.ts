import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';
import { formatDateTime } from '../value/date-time.ts';
import { type RecordEvent, restoration } from './record-event.ts';
import type { RecordState } from './record-state.ts';

/**
 * The record after one more event. It never throws or refuses, because the event has already happened. `created` are
 * all values of a new record, if more of them are known than the event has.
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

/**
 * The system attributes that follow from an event. `modifiedById` stays null until the first update, as clients expect.
 */
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
