import { type Append, createAppend, requirePossibleId } from '../owner/append.ts';
import { FULL_APPEND } from '../writer/command-queue.ts';
import { NotOwner } from '../writer/not-owner.ts';
import type { PartitionWriter } from '../writer/partition-writer.ts';
import { type CreateDeps, executeCreate } from './create-record.ts';
import { type LinkDeps, prepareLinkChange } from './links/change-links.ts';
import type { RecordHandlers } from './record-handlers.ts';
import { executeRemove } from './remove-record.ts';
import { executeRestore } from './restore-record.ts';
import { executeUpdate } from './update-record.ts';

interface RecordHandlerDeps extends Omit<CreateDeps, 'append' | 'nextPartition'>, LinkDeps {
  /** By partition. */
  readonly writers: readonly PartitionWriter[];
}

/** Handlers of commands for all entity types in the records log, and `append` for any other decision. */
export function createLogRecordHandlers(
  given: RecordHandlerDeps,
): RecordHandlers & { readonly append: Append } {
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

/**
 * Distributes new records over the owned partitions in turn. Records of one turn of the event loop go to the same
 * partition, up to the size of an append, so that they share one append, one flush of the disk and one read: the main
 * cost of a write.
 */
function createNextPartition(writers: readonly PartitionWriter[]): () => number {
  let turn = 0;
  let given = 0;

  function nextTurn(): void {
    turn = (turn + 1) % writers.length;
    given = 0;
  }

  return () => {
    if (given === 0) setImmediate(nextTurn);
    if (given >= FULL_APPEND) nextTurn();
    given += 1;
    for (let step = 0; step < writers.length; step++) {
      const partition = (turn + step) % writers.length;
      if (writers[partition]?.isOwned()) return partition;
    }
    throw new NotOwner(undefined);
  };
}
