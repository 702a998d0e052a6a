import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { endOffset } from '../../../shared/kafka/read-partitions.ts';
import type { Portion, QueuePosition } from './enqueue-portion.ts';

/** By partition; undefined means no end. */
export type Ends = ReadonlyMap<number, bigint> | undefined;

export async function readEnds(
  connection: KafkaConnection,
  positions: readonly QueuePosition[],
): Promise<ReadonlyMap<number, bigint>> {
  const ends = positions.map(
    async ({ topic, partition }) =>
      [partition, await endOffset(connection, topic, partition)] as const,
  );
  return new Map(await Promise.all(ends));
}

export function isBefore({ partition, offset }: QueuePosition, ends: Ends): boolean {
  return ends === undefined || offset < (ends.get(partition) ?? 0n);
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
