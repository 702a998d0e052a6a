import type { AttributeValue, AttributeValues } from './attribute-values.ts';
import { formatDateTime } from './date-time.ts';
import { type RecordEvent, restoration } from './record-event.ts';
import type { RecordState } from './record-state.ts';

/**
 * The record after one more event. Facts already happened: this never throws and never refuses. `created`: of a new
 * record all values, where more of them are known than its event tells.
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
 * What an event says about who and when. `modifiedById` stays null until the first update, as clients of the record
 * API know it.
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
