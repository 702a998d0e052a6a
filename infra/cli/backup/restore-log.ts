import { randomUUID } from 'node:crypto';
import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { webhookReplayType } from '../../../shared/domain/directory/webhook-replay.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import type { BackupEntry } from '../../../shared/events/backup-entry-codec.ts';
import { emptyFold, type FoldState } from '../../../shared/events/fold.ts';
import { encodeFence } from '../../../shared/events/log-entry-codec.ts';
import {
  decodeReplayProgress,
  encodeReplayProgress,
} from '../../../shared/events/replay-progress.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import { createAppendMessages } from '../../../shared/kafka/append.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { endOffset, type PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { createPartitionAppender, type PartitionAppender } from '../rebuild-log/append-portions.ts';
import type { BackedUpPartition, BackedUpTopic, Backup } from './backup-file.ts';
import { readChunks } from './read-chunks.ts';
import { restoreWebhooks, toMessage, toRead } from './restore-webhooks.ts';

export interface RestoreSource {
  readonly directory: string;
  readonly backup: Backup;
  /** In milliseconds since 1970; undefined: everything. */
  readonly until: number | undefined;
}

interface RestoreDeps extends RestoreSource {
  readonly kafka: KafkaConnection;
  readonly topics: TopicNames;
  readonly onProgress: (entries: number) => void;
}

/**
 * Writes all entries into empty topics, the entries of the log at their original offsets, byte for byte. The result
 * includes the ends of the records, where the dispatcher continues.
 */
export async function restoreLog(deps: RestoreDeps) {
  const { directory, backup, until } = deps;
  const partitionsOf = (topic: BackedUpTopic): readonly BackedUpPartition[] =>
    backup.partitions.filter((each) => each.topic === topic);
  const read = (each: BackedUpPartition) => readChunks(directory, each, until);
  const restore = async (each: BackedUpPartition, onEvent?: (event: RecordEvent) => void) =>
    restorePartition(deps, { each, chunks: read(each), onEvent });

  for (const each of partitionsOf('files')) await restore(each);
  const definitions = createDirectory(stockDefinitions);
  for (const each of partitionsOf('directory')) await restore(each, definitions.apply);
  const records: ProjectedPosition[] = [];
  for (const each of partitionsOf('records')) records.push(await restore(each));
  const webhooks = await restoreWebhooks({
    ...deps,
    read: (topic) =>
      partitionsOf(topic).map((each) => {
        // Receivers have seen sequence numbers that were assigned later, and compaction keeps only the last ones.
        const isWhole = topic === 'webhookSequences';
        return [each.partition, isWhole ? readChunks(directory, each) : read(each)] as const;
      }),
  });
  const replays = definitions.records(webhookReplayType).map(({ id }) => id);
  await endReplays(deps, replays, partitionsOf('webhookReplays').map(read));
  return { records, webhooks };
}

interface PartitionSource {
  readonly each: BackedUpPartition;
  readonly chunks: AsyncIterable<readonly BackupEntry[]>;
  readonly onEvent: ((event: RecordEvent) => void) | undefined;
}

/** Returns the end of the partition, with the state of the fold there. */
async function restorePartition(
  { kafka, topics, onProgress }: RestoreDeps,
  { each, chunks, onEvent }: PartitionSource,
): Promise<ProjectedPosition> {
  const place = { topic: topics[each.topic], partition: each.partition };
  const appender = createPartitionAppender(kafka, place, onProgress, false);
  let state: FoldState = emptyFold;
  let offset = 0n;
  for await (const entries of chunks) {
    await fillBefore(appender, entries, offset);
    for (const entry of entries) {
      // Pieces of files are not folded.
      if (each.topic !== 'files') {
        const taken = takeMessage(state, toRead(kafka, place, entry));
        state = taken.state;
        if (taken.entry?.kind === 'event') onEvent?.(taken.entry.event);
      }
      await appender.add(toMessage(entry));
      offset = BigInt(entry.offset) + 1n;
    }
  }
  await appender.flush();
  await requireEnd(kafka, { ...place, offset });
  return { ...place, ...state, offset };
}

/**
 * Writes fences that do not count before the first entry of a partition that had been rewritten (docs/adr/0044), so
 * that its entries get their original offsets.
 */
async function fillBefore(
  appender: PartitionAppender,
  [first]: readonly BackupEntry[],
  written: bigint,
): Promise<void> {
  const count = written === 0n ? (first?.offset ?? 0) : 0;
  for (let filled = 0; filled < count; filled += 1) {
    const fence = { token: randomUUID(), prevToken: randomUUID(), owner: 'restore', address: '' };
    await appender.add({ key: 'fence', value: encodeFence({ ...fence, occurredAt: Date.now() }) });
  }
}

/** Versions, positions and consistency tokens depend on the offsets. */
async function requireEnd(kafka: KafkaConnection, expected: PartitionPosition): Promise<void> {
  const { topic, partition, offset } = expected;
  const end = await endOffset(kafka, topic, partition);
  if (end === offset) return;
  throw new Error(`${topic}/${partition} ends at ${end} after the restore instead of ${offset}`);
}

/** Ends all replays. No replay may continue automatically, because its events may already have been sent. */
async function endReplays(
  { kafka, topics }: RestoreDeps,
  ids: readonly string[],
  read: readonly AsyncIterable<readonly BackupEntry[]>[],
): Promise<void> {
  const known = new Map<string, Buffer>();
  for (const chunks of read)
    for await (const entries of chunks) for (const { key, value } of entries) known.set(key, value);
  const nothing = { positions: [], events: 0, hidden: 0, batches: 0, samples: [] };
  const messages = ids.map((key) => {
    const before = known.get(key);
    const progress = before === undefined ? nothing : decodeReplayProgress(before);
    return { key, value: encodeReplayProgress({ ...progress, isDone: true }) };
  });
  if (messages.length > 0) await createAppendMessages(kafka)(topics.webhookReplays, 0, messages);
}
