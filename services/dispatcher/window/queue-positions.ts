import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import type { Portion, QueuePosition } from './enqueue-portion.ts';

/** The end of each partition, by its number. Undefined means no end. */
type Ends = readonly PartitionPosition[] | undefined;

export function isBefore({ partition, offset }: QueuePosition, ends: Ends): boolean {
  return ends === undefined || offset < (ends[partition]?.offset ?? 0n);
}

/** Returns the queue's positions after a portion. */
export function afterPortion(
  positions: readonly QueuePosition[],
  portion: Portion,
): readonly QueuePosition[] {
  return positions.map(
    (position) =>
      portion.positions.find(({ partition }) => partition === position.partition) ?? position,
  );
}
