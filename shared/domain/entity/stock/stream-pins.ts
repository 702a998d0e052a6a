import type { EntityDefinition } from '../definition/entity-definition.ts';

/** The posts that are pinned in the stream of a record. One record has all of them, so that their limit is exact. */
export const streamPinsDefinition: EntityDefinition = {
  name: 'StreamPins',
  log: 'records',
  isObject: false,
  isInternal: true,
  orderBy: 'createdAt',
  order: 'desc',
  fields: {
    entityType: { type: 'varchar' },
    entityId: { type: 'varchar' },
    noteIds: { type: 'array' },
  },
};
