import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import { emptyFold, type FoldState } from '../../../shared/events/fold.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import type { PartitionPosition, ReadPartition } from '../../../shared/kafka/read-partitions.ts';

/** A reader's position in a partition. `end` is where the partition ended when the reader started. */
export interface Head {
  at: PartitionPosition;
  readonly end: bigint;
  state: FoldState;
  /** Events that have been read but not yet shown. */
  readonly waiting: LoggedEvent[];
}

/**
 * Finds where to start reading: at the position of the read model, which stores the fold state, or at the beginning of
 * the partition. A position beyond the end belongs to another log and is ignored.
 */
export async function findHeads(
  { connection, topic }: { readonly connection: KafkaConnection; readonly topic: string },
  positions: readonly ProjectedPosition[],
): Promise<readonly Head[]> {
  return (await readEnds(connection, topic)).map(({ partition, offset: end }) => {
    const known = positions.find(
      (position) => position.topic === topic && position.partition === partition,
    );
    if (known === undefined || known.offset > end) {
      return { at: { topic, partition, offset: 0n }, end, state: emptyFold, waiting: [] };
    }
    const { offset, token, sequence, sealed } = known;
    const state = { token, sequence, sealed };
    return { at: { topic, partition, offset }, end, state, waiting: [] };
  });
}

/** Counts the entries that remain to be read up to `end`, over all partitions. */
export function countAhead(heads: readonly Head[]): number {
  return heads.reduce((sum, { at, end }) => sum + Math.max(0, Number(end - at.offset)), 0);
}

/** Moves a head past the messages, and calls `show` with each valid event. */
export function advance(
  head: Head | undefined,
  { messages, nextOffset }: ReadPartition,
  show: (event: LoggedEvent, offset: bigint) => void,
): void {
  if (head === undefined) return;
  for (const message of messages) {
    const { state, entry } = takeMessage(head.state, message);
    head.state = state;
    if (entry?.kind === 'event') show(entry.event, message.offset);
  }
  head.at = { ...head.at, offset: nextOffset };
}
