import type { Attribute } from '../../../../shared/domain/field/attribute.ts';
import {
  type Change,
  isRestoration,
  type RecordEvent,
  type RecordEventType,
} from '../../../../shared/domain/record/record-event.ts';
import { emptyValue } from '../../../../shared/domain/record/to-record-body.ts';
import { sameValue } from '../../../../shared/domain/value/attribute-values.ts';
import { formatDateTime } from '../../../../shared/domain/value/date-time.ts';
import type { EventView } from './past-values.ts';

/** An entry of a record's history: one version. */
export interface HistoryEntry {
  readonly version: number;
  readonly type: 'created' | 'updated' | 'deleted' | 'restored';
  /** `YYYY-MM-DD HH:MM:SS` in UTC. */
  readonly at: string;
  /** Null if the reader may not see who did it. */
  readonly byId: string | null;
  readonly byName: string | null;
  /** Values as single reads show them; `before` of a creation is null. */
  readonly changes: readonly Change[];
}

const types: Readonly<Record<RecordEventType, HistoryEntry['type']>> = {
  Created: 'created',
  Updated: 'updated',
  Deleted: 'deleted',
};

export function toHistoryEntry(
  event: RecordEvent,
  { shown, madeBy, userName }: EventView,
): HistoryEntry {
  const byId = madeBy(event);
  return {
    version: event.version,
    type: isRestoration(event) ? 'restored' : types[event.type],
    at: formatDateTime(event.occurredAt),
    byId,
    byName: byId === null ? null : userName(byId),
    changes: event.changes.flatMap((change) => {
      const attribute = shown(change.attribute);
      return attribute === undefined ? [] : toShownChange(change, attribute, event.type);
    }),
  };
}

/**
 * Drops changes that an event only lists for completeness: unchanged parts of a field, empty values of a new record.
 */
function toShownChange(
  { attribute: name, before, after }: Change,
  attribute: Attribute,
  type: RecordEventType,
): readonly Change[] {
  const empty = emptyValue(attribute);
  const change = { attribute: name, before: before ?? empty, after: after ?? empty };
  if (sameValue(change.before, change.after)) return [];
  return [type === 'Created' ? { ...change, before: null } : change];
}
