import { systemValues } from '../../../shared/domain/record/evolve.ts';
import { isRestoration } from '../../../shared/domain/record/record-event.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';

/** All events of one record within a batch, as one change to its row. */
export interface RowChange {
  readonly entityType: string;
  readonly recordId: string;
  readonly partition: number;
  /** The version that the row must have before the change; 0 if the row must not exist. */
  readonly baseVersion: number;
  /** Whether the row existed and was not deleted before the change. */
  readonly wasLive: boolean;
  version: number;
  deleted: boolean;
  readonly values: Map<string, AttributeValue>;
}

export interface LocatedEvent {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly event: LoggedEvent;
  /** The event's bytes in the log. */
  readonly bytes: Buffer;
  /** The trace of the event's request, 16 bytes; null if the message has none. */
  readonly traceId?: Buffer | null;
}

/**
 * Returns one row change per record, in the order in which records first appear. Later values win. Returns undefined if
 * the versions of a record are not consecutive.
 */
export function collapse(events: readonly LocatedEvent[]): readonly RowChange[] | undefined {
  const changes = new Map<string, RowChange>();
  for (const { event, partition } of events) {
    const key = `${event.entityType}/${event.recordId}`;
    const change = changes.get(key) ?? {
      entityType: event.entityType,
      recordId: event.recordId,
      partition,
      baseVersion: event.version - 1,
      wasLive: event.type !== 'Created' && !isRestoration(event),
      version: event.version,
      deleted: false,
      values: new Map<string, AttributeValue>(),
    };
    const isFirst = !changes.has(key);
    if (!isFirst && event.version !== change.version + 1) return undefined;
    if (isFirst) changes.set(key, change);
    change.version = event.version;
    change.deleted = event.type === 'Deleted';
    for (const { attribute, after } of event.changes) change.values.set(attribute, after);
    for (const [attribute, value] of systemValues(event)) change.values.set(attribute, value);
  }
  return [...changes.values()];
}
