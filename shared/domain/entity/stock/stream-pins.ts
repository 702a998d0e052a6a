import type { EntityDefinition } from '../definition/entity-definition.ts';
import { internalRecords } from './common-settings.ts';

/** The pinned posts of a record's stream. All of them are in one record, so that the limit is enforced exactly. */
export const streamPinsDefinition: EntityDefinition = {
  ...internalRecords,
  name: 'StreamPins',
  fields: {
    entityType: { type: 'varchar' },
    entityId: { type: 'varchar' },
    noteIds: { type: 'array' },
  },
};
