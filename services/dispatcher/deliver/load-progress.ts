import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { startOffset } from '../../../shared/kafka/read-partitions.ts';
import type { NotedPosition, Transactor } from '../../../shared/kafka/transactor.ts';
import { createPartitionProgress, type PartitionProgress } from './partition-progress.ts';

export interface LoadedProgress {
  /** As committed by this process or its predecessors. */
  readonly stored: readonly NotedPosition[];
  /** Every partition of the topics. */
  readonly partitions: readonly PartitionProgress[];
}

/** Where delivery stands. Ends what a predecessor still had under way, so nothing it does later counts. */
export async function loadProgress(
  topics: readonly string[],
  deps: { readonly transactor: Transactor; readonly connection: KafkaConnection },
): Promise<LoadedProgress> {
  const stored: NotedPosition[] = [];
  const partitions: PartitionProgress[] = [];
  for (const topic of topics) {
    const noted = await deps.transactor.notedPositions(topic);
    stored.push(...noted);
    const count = await deps.connection.partitionsOf(topic);
    for (let partition = 0; partition < count; partition++) {
      const known = noted.find((position) => position.partition === partition);
      const start = known ?? {
        topic,
        partition,
        offset: await startOffset(deps.connection, topic, partition),
        note: '',
      };
      partitions.push(createPartitionProgress(start));
    }
  }
  return { stored, partitions };
}
