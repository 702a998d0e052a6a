import {
  type Change,
  isRestoration,
  type RecordEvent,
  type RecordEventType,
} from '../../../../shared/domain/record/record-event.ts';
import { formatDateTime } from '../../../../shared/domain/value/date-time.ts';
import { type EventView, shownChanges } from './past-values.ts';

/** An entry of a record's history: one version. */
export interface HistoryEntry {
  readonly version: number;
  readonly type: 'created' | 'updated' | 'deleted' | 'restored';
  /** `YYYY-MM-DD HH:MM:SS` in UTC. */
  readonly at: string;
  /** Null if the reader may not see who did it. */
  readonly byId: string | null;
  readonly byName: string | null;
  /** The administrator who acted as this user. Absent without one, and if the reader may not see who did it. */
  readonly administratorId?: string;
  readonly administratorName?: string | null;
  /** Values as single reads show them; `before` of a creation is null. */
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
