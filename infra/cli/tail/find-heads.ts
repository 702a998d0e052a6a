import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import { emptyFold, type FoldState } from '../../../shared/events/fold.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { endOffset, type PartitionPosition } from '../../../shared/kafka/read-partitions.ts';

/** How far a partition has been read, and where it ended at the beginning. */
export interface Head {
  at: PartitionPosition;
  readonly end: bigint;
  state: FoldState;
}

/**
 * Where to read on: at the position of the read model, which keeps the fold's state, or at the beginning of the
 * partition. One that lies beyond its end is of another log.
 */
export async function findHeads(
  { connection, topic }: { readonly connection: KafkaConnection; readonly topic: string },
  positions: readonly ProjectedPosition[],
): Promise<readonly Head[]> {
  const partitions = await connection.partitionsOf(topic);
  return Promise.all(
    Array.from({ length: partitions }, async (_, partition) => {
      const end = await endOffset(connection, topic, partition);
      const known = positions.find(
        (position) => position.topic === topic && position.partition === partition,
      );
      if (known === undefined || known.offset > end) {
        return { at: { topic, partition, offset: 0n }, end, state: emptyFold };
      }
      const { offset, token, sequence, sealed } = known;
      return { at: { topic, partition, offset }, end, state: { token, sequence, sealed } };
    }),
  );
}

/** Entries that are still to be read to come where the partitions ended at the beginning. */
export function countAhead(heads: readonly Head[]): number {
  return heads.reduce((sum, { at, end }) => sum + Math.max(0, Number(end - at.offset)), 0);
}
