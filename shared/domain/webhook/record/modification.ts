import type { RecordEvent } from '../../record/record-event.ts';
import type { NameOf } from '../../record/to-record-body.ts';
import type { AttributeValues } from '../../value/attribute-values.ts';
import { formatDateTime } from '../../value/date-time.ts';

/** When and by whom a record was changed. Included in every payload for a change. */
export function modificationOf(
  { occurredAt, actorId }: RecordEvent,
  nameOf: NameOf,
): AttributeValues {
  return {
    modifiedAt: formatDateTime(occurredAt),
    modifiedById: actorId,
    modifiedByName: nameOf('User', actorId) ?? null,
  };
}

export const modificationAttributes = ['modifiedAt', 'modifiedById', 'modifiedByName'] as const;
