import { FULL_APPEND } from '../../writer/command-queue.ts';
import { NotOwner } from '../../writer/not-owner.ts';
import type { PartitionWriter } from '../../writer/partition-writer.ts';

/**
 * Distributes new records over the owned partitions in turn. Records from one turn of the event loop go to the same
 * partition, up to the size of an append: they share one append, one disk flush and one read, which make up most of the
 * cost of a write.
 */
export function createNextPartition(writers: readonly PartitionWriter[]): () => number {
  let turn = 0;
  let count = 0;

  function nextTurn(): void {
    turn = (turn + 1) % writers.length;
    count = 0;
  }

  return () => {
    if (count === 0) setImmediate(nextTurn);
    if (count >= FULL_APPEND) nextTurn();
    count += 1;
    for (let step = 0; step < writers.length; step++) {
      const partition = (turn + step) % writers.length;
      if (writers[partition]?.isOwned()) return partition;
    }
    throw new NotOwner(undefined);
  };
}
