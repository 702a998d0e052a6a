import type { DecodedBatch } from './decode-batch.ts';

interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: bigint;
}

/** The key of the record that ends an aborted transaction: version 0, type 0. */
const ABORT_MARKER = '\0\0\0\0';

interface Batch extends DecodedBatch {
  /** The offset after the batch. */
  readonly next: bigint;
}

/**
 * Returns a filter for the batches of a response, to be called in their order. It rejects control batches and batches
 * of aborted transactions, by the same rule as the Java client. kafkajs applies a different rule to each message, and
 * returns aborted messages if a response begins within two aborted transactions.
 */
export function createAbortedFilter(transactions: readonly AbortedTransaction[]) {
  const waiting = transactions.toSorted(byFirstOffset);
  const aborting = new Set<bigint>();

  return ({ isControl, inTransaction, producerId, records, next }: Batch): boolean => {
    for (let [one] = waiting; one !== undefined && one.firstOffset < next; [one] = waiting) {
      aborting.add(one.producerId);
      waiting.shift();
    }
    if (isControl) {
      if (records[0]?.key === ABORT_MARKER) aborting.delete(producerId);
      return false;
    }
    return !(inTransaction && aborting.has(producerId));
  };
}

function byFirstOffset(one: AbortedTransaction, other: AbortedTransaction): number {
  return Number(one.firstOffset - other.firstOffset);
}
