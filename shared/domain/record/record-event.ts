import { type AttributeValue, sameValue } from '../value/attribute-values.ts';

/** `before` is null for a value that was never set. A creation may leave out empty values (docs/adr/0022). */
export interface Change {
  readonly attribute: string;
  readonly before: AttributeValue;
  readonly after: AttributeValue;
}

/** Who owned the record when the event happened, so that access can be judged as of then. */
export interface Access {
  readonly assignedUserId: string | null;
  readonly createdById: string | null;
  readonly teamIds: readonly string[];
}

/**
 * The change of a restoration: an event of type Updated, which readers of every version take as a sign that the record
 * is not deleted (docs/adr/0018). No field can have this name.
 */
export const restoration: Change = { attribute: 'deleted', before: true, after: false };

/** Whether the event brings a deleted record back. */
export function isRestoration({ type, changes }: Pick<RecordEvent, 'type' | 'changes'>): boolean {
  return type === 'Updated' && changes.some(({ attribute }) => attribute === restoration.attribute);
}

export type RecordEventType = 'Created' | 'Updated' | 'Deleted';

/** One change of one record. `occurredAt` is milliseconds since 1970. */
export interface RecordEvent {
  readonly eventId: string;
  readonly entityType: string;
  readonly recordId: string;
  readonly version: number;
  readonly type: RecordEventType;
  readonly occurredAt: number;
  readonly actorId: string;
  /** The administrator who acted as this user (`X-Another-User`). */
  readonly administratorId?: string;
  /** The Idempotency-Key of the request, and a hash of all that it asked for. */
  readonly commandId: string | null;
  readonly commandHash: string | null;
  /** Identifies the request, at every instance that handles it. */
  readonly correlationId: string | null;
  readonly access: Access;
  readonly changes: readonly Change[];
}

/** The attributes whose value an update changed. An event also has the other attributes of their fields. */
export function changedBy({ type, changes }: RecordEvent): readonly string[] {
  if (type !== 'Updated') return [];
  return changes
    .filter(({ before, after }) => !sameValue(before, after))
    .map(({ attribute }) => attribute);
}
