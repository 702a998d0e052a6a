// Custom entity types whose fields are watched individually: each change matches the webhooks of one field.
import { randomUUID } from 'node:crypto';
import { entityDefinitionType } from '../../shared/domain/directory/directory.ts';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import { directoryEvent } from './webhook-events.ts';

export interface WatchedField {
  readonly entityType: string;
  readonly field: string;
}

/** Distributes fields over the entity types in turn, so that the first ones belong to different types. */
export function watchedFields(count: number, entityTypes: number): readonly WatchedField[] {
  return Array.from({ length: count }, (_, index) => ({
    entityType: `Parcel${index % entityTypes}`,
    field: `field${Math.floor(index / entityTypes)}`,
  }));
}

/** Returns the definitions as an administrator would have created them. */
export function* definitionEvents(fields: readonly WatchedField[]): Iterable<RecordEvent> {
  for (const [name, ofType] of Map.groupBy(fields, ({ entityType }) => entityType)) {
    const definitions = ofType.map(({ field }) => [field, { type: 'varchar', maxLength: 100 }]);
    yield directoryEvent(entityDefinitionType, name, {
      template: 'Base',
      fields: Object.fromEntries(definitions),
    });
  }
}

/** Returns an update of one watched field, and of another one without a webhook. */
export function fieldChange(
  { entityType, field }: WatchedField,
  { number, text }: { readonly number: number; readonly text: string },
): RecordEvent {
  return {
    eventId: randomUUID(),
    entityType,
    recordId: number.toString(16).padStart(17, '0'),
    version: 2,
    type: 'Updated',
    occurredAt: Date.now(),
    actorId: 'bench',
    commandId: null,
    commandHash: null,
    correlationId: null,
    access: { assignedUserId: null, createdById: 'bench', teamIds: [] },
    changes: [
      { attribute: field, before: 'Waits for its address', after: text },
      { attribute: 'description', before: null, after: `Looked at again, number ${number}.` },
    ],
  };
}
