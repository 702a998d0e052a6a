import type { AttributeValue, AttributeValues } from './attribute-values.ts';
import { formatDateTime } from './date-time.ts';
import { type RecordEvent, restoration } from './record-event.ts';
import type { RecordState } from './record-state.ts';

/** The record after one more event. Facts already happened: this never throws and never refuses. */
export function evolve(state: RecordState | undefined, event: RecordEvent): RecordState {
  const { entityType, recordId: id, version } = event;
  return {
    entityType,
    id,
    version,
    deleted: event.type === 'Deleted',
    values: { ...(event.type === 'Created' ? undefined : state?.values), ...writtenValues(event) },
  };
}

/** The attributes an event sets, system attributes included. */
function writtenValues(event: RecordEvent): AttributeValues {
  const values: Record<string, AttributeValue> = {};
  for (const { attribute, after } of event.changes) {
    if (attribute !== restoration.attribute) values[attribute] = after;
  }
  for (const [attribute, value] of systemValues(event)) values[attribute] = value;
  return values;
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
