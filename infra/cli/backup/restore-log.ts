import { randomUUID } from 'node:crypto';
import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { webhookReplayType } from '../../../shared/domain/directory/webhook-replay.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import type { BackupEntry } from '../../../shared/events/backup-entry-codec.ts';
import { decodeReadable } from '../../../shared/events/decode-readable.ts';
import { emptyFold, type FoldState } from '../../../shared/events/fold.ts';
import { encodeFence } from '../../../shared/events/log-entry-codec.ts';
import {
  decodeReplayProgress,
  encodeReplayProgress,
} from '../../../shared/events/replay-progress.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import {
  decodeWebhookAttempt,
  droppedByOperator,
  encodeWebhookAttempt,
  type WebhookAttempt,
} from '../../../shared/events/webhook-attempt-codec.ts';
import {
  decodeWebhookBatch,
  type WebhookBatch,
} from '../../../shared/events/webhook-batch-codec.ts';
import { createAppendMessages } from '../../../shared/kafka/append.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { endOffset } from '../../../shared/kafka/read-partitions.ts';
import {
  createPartitionAppender,
  type PartitionAppender,
  toMessage,
} from '../partition-entries.ts';
import type { Run } from '../rebuild-log/work-schema.ts';
import type { BackedUpPartition, BackedUpTopic, Backup } from './backup-file.ts';
import { readChunks } from './chunks.ts';

export interface RestoreSource {
  readonly directory: string;
  readonly backup: Backup;
  /** In milliseconds since 1970; undefined to restore everything. */
  readonly until: number | undefined;
}

/**
 * Writes all entries byte for byte into empty topics; entries of the log get their original offsets. The result
 * includes the end of each partition of the records, where the dispatcher continues.
 */
export async function restoreLog(
  run: Run,
  { directory, backup, until }: RestoreSource,
  onProgress: (entries: number) => void,
) {
  const partitionsOf = (topic: BackedUpTopic): readonly BackedUpPartition[] =>
    backup.partitions.filter((each) => each.topic === topic);
  const read = (each: BackedUpPartition) => readChunks(directory, each, until);
  const restore = async (each: BackedUpPartition, onEvent?: (event: RecordEvent) => void) =>
    restorePartition(run, each, { chunks: read(each), onEvent, onProgress });

  for (const each of partitionsOf('files')) await restore(each);
  const definitions = createDirectory(stockDefinitions);
  for (const each of partitionsOf('directory')) await restore(each, definitions.apply);
  const records: ProjectedPosition[] = [];
  for (const each of partitionsOf('records')) records.push(await restore(each));
  const webhooks = await restoreWebhooks(run, (topic) =>
    partitionsOf(topic).map((each) => {
      // Sequence numbers are restored without a time limit, because receivers have seen the numbers that were assigned
      // later, and compaction keeps only the last ones.
      const isWhole = topic === 'webhookSequences';
      return [each.partition, isWhole ? readChunks(directory, each) : read(each)] as const;
    }),
  );
  const replays = definitions.records(webhookReplayType).map(({ id }) => id);
  await endReplays(run, replays, partitionsOf('webhookReplays').map(read));
  return { records, webhooks };
}

interface PartitionSource {
  readonly chunks: AsyncIterable<readonly BackupEntry[]>;
  readonly onEvent: ((event: RecordEvent) => void) | undefined;
  readonly onProgress: (entries: number) => void;
}

/** Returns the end of the partition, with the fold state at that point. */
async function restorePartition(
  { kafka, installation }: Run,
  { topic, partition }: BackedUpPartition,
  { chunks, onEvent, onProgress }: PartitionSource,
): Promise<ProjectedPosition> {
  const place = { topic: installation.topics[topic], partition };
  const appender = createPartitionAppender(kafka, place, onProgress, false);
  let state: FoldState = emptyFold;
  let offset = 0n;
  for await (const entries of chunks) {
    await fillBefore(appender, entries, offset);
    for (const entry of entries) {
      // Chunks of files are not folded.
      if (topic !== 'files') {
        const taken = takeMessage(state, toRead(kafka, place, entry));
        state = taken.state;
        if (taken.entry?.kind === 'event') onEvent?.(taken.entry.event);
      }
      await appender.add(toMessage(entry));
      offset = BigInt(entry.offset) + 1n;
    }
  }
  await appender.flush();
  // Versions, positions and consistency tokens depend on offsets.
  const end = await endOffset(kafka, place.topic, partition);
  if (end !== offset)
    throw new Error(
      `${place.topic}/${partition} ends at ${end} after the restore instead of ${offset}`,
    );
  return { ...place, ...state, offset };
}

/**
 * Writes invalid fences before the first entry of a partition that had been rewritten (docs/adr/0044), so that its
 * entries get their original offsets.
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

/** Ends all replays. A replay must not continue automatically, because its events may already have been sent. */
async function endReplays(
  { kafka, installation }: Run,
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
  if (messages.length > 0)
    await createAppendMessages(kafka)(installation.topics.webhookReplays, 0, messages);
}

export interface RestoredWebhooks {
  readonly batches: number;
  readonly attempts: number;
  /** The number of batches without an outcome in the backup. They become dead letters. */
  readonly deadLetters: number;
}

type WebhookTopic =
  | 'webhookBatches'
  | 'webhookAttempts'
  | 'webhookDeadLetters'
  | 'webhookSequences';

/** Returns the partitions of a topic with their entries, one chunk at a time. */
type ReadTopic = (
  topic: WebhookTopic,
) => Iterable<readonly [partition: number, AsyncIterable<readonly BackupEntry[]>]>;

/**
 * Restores batches and attempts unchanged. Nothing is sent: a batch without an outcome may have been delivered after
 * the backup, so it becomes a dead letter that operators can send.
 */
async function restoreWebhooks(run: Run, read: ReadTopic): Promise<RestoredWebhooks> {
  const { kafka, installation } = run;
  const { topics } = installation;
  const endings = new Map<string, number>();
  let attempts = 0;
  await copy(run, 'webhookAttempts', read, (message) => {
    attempts += 1;
    const attempt = decodeReadable(message, decodeWebhookAttempt);
    if (attempt === undefined || attempt.outcome === 'retry') return;
    if (attempt.reason === droppedByOperator) return;
    endings.set(attempt.batchId, (endings.get(attempt.batchId) ?? 0) + 1);
  });
  await copy(run, 'webhookDeadLetters', read);
  await copy(run, 'webhookSequences', read);

  let batches = 0;
  let deadLetters = 0;
  const dead = createPartitionAppender(kafka, at(topics.webhookDeadLetters, 0));
  for (const [partition, chunks] of read('webhookBatches')) {
    const place = at(topics.webhookBatches, partition);
    const target = createPartitionAppender(kafka, place, undefined, false);
    const ends = createPartitionAppender(kafka, at(topics.webhookAttempts, partition));
    for await (const entries of chunks) {
      for (const entry of entries) {
        await target.add(toMessage(entry));
        batches += 1;
        const batch = decodeReadable(toRead(kafka, place, entry), decodeWebhookBatch);
        if (batch === undefined || hasEnded(endings, batch)) continue;
        await dead.add(toMessage(entry));
        await ends.add({ key: entry.key, value: encodeWebhookAttempt(unknownEnd(batch)) });
        deadLetters += 1;
      }
    }
    await target.flush();
    await ends.flush();
  }
  await dead.flush();
  return { batches, attempts, deadLetters };
}

/** Converts an entry to the message that a reader of the topic receives. */
function toRead(
  kafka: KafkaConnection,
  place: { readonly topic: string; readonly partition: number },
  { offset, value, headers }: BackupEntry,
) {
  const message = { offset: BigInt(offset), value, headers };
  return { value, proof: kafka.codes?.verify(place, message) ?? ('none' as const) };
}

const at = (topic: string, partition: number) => ({ topic, partition });

async function copy(
  { kafka, installation }: Run,
  topic: WebhookTopic,
  read: ReadTopic,
  onEntry: (message: ReturnType<typeof toRead>) => void = () => undefined,
): Promise<void> {
  for (const [partition, chunks] of read(topic)) {
    const place = at(installation.topics[topic], partition);
    const target = createPartitionAppender(kafka, place, undefined, false);
    for await (const entries of chunks) {
      for (const entry of entries) {
        onEntry(toRead(kafka, place, entry));
        await target.add(toMessage(entry));
      }
    }
    await target.flush();
  }
}

/** A batch ends once each time it is enqueued, and a redelivery enqueues it again. */
function hasEnded(endings: Map<string, number>, { batchId }: WebhookBatch): boolean {
  const left = endings.get(batchId) ?? 0;
  if (left > 0) endings.set(batchId, left - 1);
  return left > 0;
}

const unknownEnd = ({
  batchId,
  webhookId,
  attemptsMade: attempt,
  events,
}: WebhookBatch): WebhookAttempt => ({
  ...{ batchId, webhookId, attempt, events: events.length, at: Date.now() },
  ...{ outcome: 'dead', status: null, durationMs: 0 },
  reason: 'restored from a backup without its outcome',
});
