import { readEnds } from '../../../shared/installation/read-ends.ts';
import { truthTopics } from '../../../shared/installation/whole-topics.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { BatchDamaged } from '../../../shared/kafka/fetch/batch-damaged.ts';
import { LogDamaged } from '../../../shared/kafka/log-damaged.ts';
import {
  type PartitionPosition,
  type ReadOptions,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';
import type { Installation } from '../installation.ts';
import { countDone, type ProgressDisplay } from '../progress.ts';

const bulkRead: ReadOptions = {
  maxWaitMs: 100,
  maxBytes: 8 * 1024 * 1024,
  maxBytesPerPartition: 8 * 1024 * 1024,
};

/** Reads all entries of the log topics, or of one partition of the records, and returns the first damage. */
export async function scanLog(
  kafka: KafkaConnection,
  { topics }: Pick<Installation, 'topics'>,
  { partition, shown }: { readonly partition: number | undefined; readonly shown: ProgressDisplay },
): Promise<LogDamaged | BatchDamaged | undefined> {
  const ends: PartitionPosition[] = [];
  for (const topic of partition === undefined ? truthTopics(topics) : [topics.records])
    ends.push(...(await readEnds(kafka, topic)));
  const scanned = ends.filter((end) => partition === undefined || end.partition === partition);
  const total = scanned.reduce((sum, { offset }) => sum + Number(offset), 0);
  const onProgress = countDone(shown, total);
  try {
    for (const end of scanned) await scanPartition(kafka, end, onProgress);
    return undefined;
  } catch (error) {
    if (error instanceof LogDamaged || error instanceof BatchDamaged) return error;
    throw error;
  } finally {
    shown.finish();
  }
}

async function scanPartition(
  kafka: KafkaConnection,
  end: PartitionPosition,
  onProgress: (entries: number) => void,
): Promise<void> {
  let position = { ...end, offset: 0n };
  while (position.offset < end.offset) {
    const [found] = await readPartitions(kafka, [position], bulkRead);
    if (found === undefined) return;
    onProgress(Number(found.nextOffset - position.offset));
    position = { ...position, offset: found.nextOffset };
  }
}
