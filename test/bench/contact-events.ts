import { randomUUID } from 'node:crypto';
import { decideCreate } from '../../shared/domain/record/decide.ts';
import type { Change, RecordEvent } from '../../shared/domain/record/record-event.ts';
import { emptyValues } from '../../shared/domain/record/to-record-body.ts';
import { contactModel, contactValues } from './contact-values.ts';

/** Of five events, three create a Contact and two change a much older one, as in a system in use. */
export function* contactEvents(count: number): Iterable<RecordEvent> {
  const creations = contactCreations();
  const versions: number[] = [];
  for (let index = 0; index < count; index++) {
    const isUpdate = index % 5 > 2 && versions.length > 1_000;
    if (!isUpdate) {
      versions.push(1);
      yield contactEvent(versions.length - 1, 1, creations[index % creations.length] ?? []);
      continue;
    }
    const changed = Math.floor((index * 0.618) % (versions.length / 2));
    const version = (versions[changed] ?? 0) + 1;
    versions[changed] = version;
    yield contactEvent(changed, version, promotion(version));
  }
}

/** Contacts without updates. */
export function* newContactEvents(count: number): Iterable<RecordEvent> {
  const creations = contactCreations();
  for (let index = 0; index < count; index++) {
    yield contactEvent(index, 1, creations[index % creations.length] ?? []);
  }
}

function contactCreations(): readonly (readonly Change[])[] {
  const empty = emptyValues(contactModel());
  return contactValues(1_000).map((values) => decideCreate(undefined, values, empty).changes);
}

function contactEvent(number: number, version: number, changes: readonly Change[]): RecordEvent {
  return {
    eventId: randomUUID(),
    entityType: 'Contact',
    recordId: number.toString(16).padStart(17, '0'),
    version,
    type: version === 1 ? 'Created' : 'Updated',
    occurredAt: Date.now(),
    actorId: 'bench',
    commandId: null,
    commandHash: null,
    correlationId: null,
    access: { assignedUserId: null, createdById: 'bench', teamIds: [] },
    changes,
  };
}

function promotion(version: number): readonly Change[] {
  return [
    { attribute: 'title', before: `Manager ${version - 1}`, after: `Manager ${version}` },
    { attribute: 'description', before: null, after: `Promoted for the ${version}th time.` },
  ];
}
