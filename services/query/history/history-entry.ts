import {
  type Change,
  isRestoration,
  type RecordEvent,
  type RecordEventType,
} from '../../../shared/domain/record/record-event.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { type EventView, shownChanges } from './past-values.ts';

/** An entry of a record's history, which is one version. */
export interface HistoryEntry {
  readonly version: number;
  readonly type: 'created' | 'updated' | 'deleted' | 'restored';
  /** `YYYY-MM-DD HH:MM:SS` in UTC. */
  readonly at: string;
  /** Null if the reader may not see the user who made the change. */
  readonly byId: string | null;
  readonly byName: string | null;
  /** The administrator who acted as this user. Absent if the user acted directly, or if the reader may not see the user. */
  readonly administratorId?: string;
  readonly administratorName?: string | null;
  /** Values as single reads show them. `before` is null for a creation. */
  readonly changes: readonly Change[];
}

const types: Readonly<Record<RecordEventType, HistoryEntry['type']>> = {
  Created: 'created',
  Updated: 'updated',
  Deleted: 'deleted',
};

export function toHistoryEntry(event: RecordEvent, view: EventView): HistoryEntry {
  const byId = view.madeBy(event);
  const { administratorId } = event;
  return {
    version: event.version,
    type: isRestoration(event) ? 'restored' : types[event.type],
    at: formatDateTime(event.occurredAt),
    byId,
    byName: byId === null ? null : view.userName(byId),
    ...(byId !== null &&
      administratorId !== undefined && {
        administratorId,
        administratorName: view.userName(administratorId),
      }),
    changes: shownChanges(event, view).map(({ attribute, before, after }) => ({
      attribute: attribute.name,
      before: event.type === 'Created' ? null : before,
      after,
    })),
  };
}
