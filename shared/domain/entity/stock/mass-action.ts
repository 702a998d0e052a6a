import type { EntityDefinition } from '../entity-definition.ts';

/** An action over many records: what was decided, who is at it, and how it ended. */
export const massActionDefinition: EntityDefinition = {
  name: 'MassAction',
  log: 'records',
  isObject: false,
  isInternal: true,
  orderBy: 'createdAt',
  order: 'desc',
  fields: {
    entityType: { type: 'varchar', readOnly: true },
    action: { type: 'varchar', readOnly: true },
    // JSON text: any characters of any client are safe in it.
    data: { type: 'text', readOnly: true },
    targetIds: { type: 'array', readOnly: true },
    // The client named the ids, rather than a search.
    isByIds: { type: 'bool', readOnly: true },
    status: {
      type: 'enum',
      options: ['Running', 'Success', 'Failed', 'Stopped', 'Cancelled'],
      readOnly: true,
    },
    // Why it failed or was stopped: an error code.
    reason: { type: 'varchar', readOnly: true },
    // Who wants no more of it done.
    cancelledById: { type: 'varchar', readOnly: true },
    processedCount: { type: 'int', readOnly: true },
    skippedIds: { type: 'array', readOnly: true },
    // Whoever is at it, until when at most; nobody when it has ended.
    runner: { type: 'varchar', readOnly: true },
    leasedUntil: { type: 'datetime', readOnly: true, isIndexed: true },
  },
};
