import { randomBytes, randomUUID } from 'node:crypto';
import { type RecordEvent, restoration } from '../../../shared/domain/record/record-event.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';

type Values = Readonly<Record<string, AttributeValue>>;

/** Returns an event of version 1 that creates a record. `parts` override its properties. */
export function aCreation(
  entityType: string,
  values: Values,
  parts: Partial<RecordEvent> = {},
): RecordEvent {
  return {
    eventId: randomUUID(),
    entityType,
    recordId: randomBytes(9).toString('hex').slice(0, 17),
    version: 1,
    type: 'Created',
    occurredAt: Date.UTC(2030, 0, 2, 3, 4, 5),
    actorId: 'admin',
    commandId: null,
    commandHash: null,
    correlationId: null,
    access: { assignedUserId: null, createdById: 'admin', teamIds: [] },
    changes: Object.entries(values).map(([attribute, after]) => ({
      attribute,
      before: null,
      after,
    })),
    ...parts,
  };
}

/** Returns the next event of the same record: an update. */
export function anUpdateAfter(
  { eventId: _, ...previous }: RecordEvent,
  values: Values,
  parts: Partial<RecordEvent> = {},
): RecordEvent {
  return {
    ...aCreation(previous.entityType, values),
    recordId: previous.recordId,
    version: previous.version + 1,
    type: 'Updated',
    occurredAt: previous.occurredAt + 1_000,
    actorId: 'user',
    ...parts,
  };
}

/** Returns the next event of the same record: a deletion. */
export function aDeletionAfter(previous: RecordEvent): RecordEvent {
  return { ...anUpdateAfter(previous, {}), type: 'Deleted' };
}

/** Returns the event that restores a deleted record. */
export function aRestorationAfter(deletion: RecordEvent): RecordEvent {
  return { ...anUpdateAfter(deletion, {}), changes: [restoration] };
}
