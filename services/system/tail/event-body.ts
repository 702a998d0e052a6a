import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import {
  administrator,
  count,
  nullableText,
  objectOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { withoutSecrets } from '../rejected/without-secrets.ts';
import { eventTypes } from './event-filter.ts';

/** Returns an event of a record as operators see it, without secrets. */
export function toEventBody(event: LoggedEvent, directory: Directory) {
  const shown = withoutSecrets(event, { isDirectory: false });
  const { entityType, recordId: id, version, type, actorId, administratorId, changes } = shown;
  const nameOf = (userId: string): string | null => {
    const name = directory.record('User', userId)?.values['name'];
    return typeof name === 'string' ? name : null;
  };
  return {
    at: new Date(event.occurredAt).toISOString(),
    entityType,
    id,
    version,
    type: type.toLowerCase(),
    byId: actorId,
    byName: nameOf(actorId),
    ...(administratorId !== undefined && {
      administratorId,
      administratorName: nameOf(administratorId),
    }),
    changes,
  };
}

const properties = {
  at: { ...text, format: 'date-time' },
  entityType: text,
  id: text,
  version: count,
  type: { enum: eventTypes },
  byId: text,
  byName: nullableText,
  ...administrator,
  changes: { type: 'array', items: objectOf({ attribute: text, before: {}, after: {} }) },
};

/** The schema of an event's body. */
export const eventBody = objectOf(
  properties,
  Object.keys(properties).filter((name) => !Object.hasOwn(administrator, name)),
);
