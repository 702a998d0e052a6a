import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import type { Portion, QueuePosition } from './enqueue-portion.ts';

/** Of each partition, in their order; undefined means no end. */
type Ends = readonly PartitionPosition[] | undefined;

export function isBefore({ partition, offset }: QueuePosition, ends: Ends): boolean {
  return ends === undefined || offset < (ends[partition]?.offset ?? 0n);
}

/** The queue's positions after a portion. */
export function afterPortion(
  positions: readonly QueuePosition[],
  portion: Portion,
): readonly QueuePosition[] {
  return positions.map(
    (position) =>
      portion.positions.find(({ partition }) => partition === position.partition) ?? position,
  );
}
