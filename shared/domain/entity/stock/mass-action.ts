import type { EntityDefinition } from '../definition/entity-definition.ts';
import { internalRecords } from './common-settings.ts';

/** An action over many records: what was decided, which process runs it, and how it ended. */
export const massActionDefinition: EntityDefinition = {
  ...internalRecords,
  name: 'MassAction',
  fields: {
    entityType: { type: 'varchar', readOnly: true },
    action: { type: 'varchar', readOnly: true },
    // As JSON text, which is safe for any characters that a client sends.
    data: { type: 'text', readOnly: true },
    targetIds: { type: 'array', readOnly: true },
    // The client named ids and not a search.
    isByIds: { type: 'bool', readOnly: true },
    status: {
      type: 'enum',
      options: ['Running', 'Success', 'Failed', 'Stopped', 'Cancelled'],
      readOnly: true,
    },
    // Why it failed or was stopped: an error code.
    reason: { type: 'varchar', readOnly: true },
    // The user who cancelled it.
    cancelledById: { type: 'varchar', readOnly: true },
    processedCount: { type: 'int', readOnly: true },
    skippedIds: { type: 'array', readOnly: true },
    // How many for which reason, and the first ones of each, as JSON text.
    skipped: { type: 'text', readOnly: true },
    // The process that runs it, and until when at most; empty once it has ended.
    runner: { type: 'varchar', readOnly: true },
    leasedUntil: { type: 'datetime', readOnly: true, isIndexed: true },
  },
};
