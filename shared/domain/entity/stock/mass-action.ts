import type { EntityDefinition } from '../definition/entity-definition.ts';
import { internalRecords } from './common-settings.ts';

/** An action on many records: its parameters, the process that runs it, and its result. */
export const massActionDefinition: EntityDefinition = {
  ...internalRecords,
  name: 'MassAction',
  fields: {
    entityType: { type: 'varchar', readOnly: true },
    action: { type: 'varchar', readOnly: true },
    // JSON text, which is safe for any characters sent by a client.
    data: { type: 'text', readOnly: true },
    targetIds: { type: 'array', readOnly: true },
    // True if the client sent ids instead of a search.
    isByIds: { type: 'bool', readOnly: true },
    status: {
      type: 'enum',
      options: ['Running', 'Success', 'Failed', 'Stopped', 'Cancelled'],
      readOnly: true,
    },
    // Error code of the failure or stop.
    reason: { type: 'varchar', readOnly: true },
    // The user who cancelled it.
    cancelledById: { type: 'varchar', readOnly: true },
    processedCount: { type: 'int', readOnly: true },
    skippedIds: { type: 'array', readOnly: true },
    // JSON text with the number of skipped records per reason, and the first ids of each.
    skipped: { type: 'text', readOnly: true },
    // The process that runs it, and the end of its lease; both empty once it has ended.
    runner: { type: 'varchar', readOnly: true },
    leasedUntil: { type: 'datetime', readOnly: true, isIndexed: true },
  },
};
