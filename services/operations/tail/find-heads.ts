import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import { emptyFold, type FoldState } from '../../../shared/events/fold.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import type { PartitionPosition, ReadPartition } from '../../../shared/kafka/read-partitions.ts';

/** How far a partition has been read, and where it ended at the beginning. */
export interface Head {
  at: PartitionPosition;
  readonly end: bigint;
  state: FoldState;
  /** What was read and not shown yet. */
  readonly waiting: LoggedEvent[];
}

/**
 * Where to read on: at the position of the read model, which keeps the fold's state, or at the beginning of the
 * partition. One that lies beyond its end is of another log.
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

/** Entries that are still to be read to come where the partitions ended at the beginning. */
export function countAhead(heads: readonly Head[]): number {
  return heads.reduce((sum, { at, end }) => sum + Math.max(0, Number(end - at.offset)), 0);
}

/** Moves a head past what was read, and shows the events that count. */
export function advance(
  head: Head | undefined,
  { messages, nextOffset }: Pick<ReadPartition, 'messages' | 'nextOffset'>,
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
