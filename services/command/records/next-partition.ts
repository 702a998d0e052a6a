import { FULL_APPEND } from '../writer/command-queue.ts';
import { NotOwner } from '../writer/not-owner.ts';
import type { PartitionWriter } from '../writer/partition-writer.ts';

/**
 * New records go to the owned partitions in turn, but those of one moment to the same one: they then leave in one
 * append, with one flush of the disk, and come back in one read. That is what a write costs most. A moment is a turn of
 * the event loop, or as many records as fill an append.
 */
export function createNextPartition(writers: readonly PartitionWriter[]): () => number {
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
