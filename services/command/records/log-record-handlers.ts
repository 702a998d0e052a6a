import { createAppend, requirePossibleId } from '../forwarding/append.ts';
import type { PartitionWriter } from '../writer/partition-writer.ts';
import { type CreateDeps, executeCreate } from './create-record.ts';
import { type LinkDeps, prepareLinkChange } from './links/change-links.ts';
import { createNextPartition } from './next-partition.ts';
import type { LogRecordHandlers } from './record-handlers.ts';
import { executeRemove } from './remove-record.ts';
import { executeRestore } from './restore-record.ts';
import { executeUpdate } from './update-record.ts';

interface RecordHandlerDeps extends Omit<CreateDeps, 'append' | 'nextPartition'>, LinkDeps {
  /** By partition. */
  readonly writers: readonly PartitionWriter[];
}

/** Handlers of commands for all entity types in the records log. */
export function createLogRecordHandlers(given: RecordHandlerDeps): LogRecordHandlers {
  const append = createAppend(given.writers);
  const deps = { ...given, append, nextPartition: createNextPartition(given.writers) };
  return {
    append,
    create: (request) => executeCreate(request, deps),
    update: (request) => executeUpdate(request, deps),
    remove: (request) => executeRemove(request, deps),
    restore: (request) => executeRestore(request, deps),
    async changeLinks(verb, request) {
      requirePossibleId(request.id);
      const decide = await prepareLinkChange(verb, request, deps);
      return append(request, { id: request.id, decide });
    },
  };
}
