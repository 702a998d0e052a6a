import { type AttributeValue, sameValue } from '../value/attribute-values.ts';

/** `before` is null if the value was never set. Creations may omit empty values (docs/adr/0022). */
export interface Change {
  readonly attribute: string;
  readonly before: AttributeValue;
  readonly after: AttributeValue;
}

/** The owners of the record when the event occurred, so that access can be checked as of that time. */
export interface Access {
  readonly assignedUserId: string | null;
  readonly createdById: string | null;
  readonly teamIds: readonly string[];
}

/**
 * Marks a restoration in an event of type Updated. Readers of every version treat such an event as undeleting the
 * record (docs/adr/0018). Fields cannot use this name.
 */
export const restoration: Change = { attribute: 'deleted', before: true, after: false };

/** True if the event restores a deleted record. */
export function isRestoration({ type, changes }: RecordEvent): boolean {
  return type === 'Updated' && changes.some(({ attribute }) => attribute === restoration.attribute);
}

export type RecordEventType = 'Created' | 'Updated' | 'Deleted';

/** One change to one record. `occurredAt` is milliseconds since 1970. */
export interface RecordEvent {
  readonly eventId: string;
  readonly entityType: string;
  readonly recordId: string;
  readonly version: number;
  readonly type: RecordEventType;
  readonly occurredAt: number;
  readonly actorId: string;
  /** The administrator who acted on behalf of the actor (`X-Another-User`). */
  readonly administratorId?: string;
  /** The request's Idempotency-Key, and a hash of its entire content. */
  readonly commandId: string | null;
  readonly commandHash: string | null;
  /** Identifies the request across all instances that handle it. */
  readonly correlationId: string | null;
  readonly access: Access;
  readonly changes: readonly Change[];
}

/** Returns the attributes whose value an update changed. The event also contains their unchanged sibling attributes. */
export function changedBy({ type, changes }: RecordEvent): readonly string[] {
  if (type !== 'Updated') return [];
  return changes
    .filter(({ before, after }) => !sameValue(before, after))
    .map(({ attribute }) => attribute);
}
