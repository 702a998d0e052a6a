import type { EntityDefinition } from '../definition/entity-definition.ts';
import { internalRecords } from './common-settings.ts';

/** The posts that are pinned in the stream of a record. One record has all of them, so that their limit is exact. */
export const streamPinsDefinition: EntityDefinition = {
  ...internalRecords,
  name: 'StreamPins',
  fields: {
    entityType: { type: 'varchar' },
    entityId: { type: 'varchar' },
    noteIds: { type: 'array' },
  },
};
