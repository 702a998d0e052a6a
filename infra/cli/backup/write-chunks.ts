import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  liveRead,
  type PartitionPosition,
  type ReadMessage,
  readPartitions,
  startOffset,
} from '../../../shared/kafka/read-partitions.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { type BackedUpPartition, type Chunk, chainHash } from './backup-file.ts';
import { packFrames, toFrame } from './entry-frames.ts';

/** The size of a chunk before compression, which limits the memory per partition. */
const CHUNK_BYTES = 16 * 1024 * 1024;

interface Source {
  readonly kafka: KafkaConnection;
  /** The topic name in Kafka. */
  readonly topic: string;
  readonly end: bigint;
  /** Whether offsets are part of the backup: the offsets of transactions and of compacted topics have gaps. */
  readonly isTruth: boolean;
  /** Called for an entry with a wrong authentication code. */
  readonly onForeign: (place: PartitionPosition) => void;
}

/** Writes the entries since the previous backup, flushed to disk. Returns the new state of the partition's backup. */
export async function writeChunks(
  directory: string,
  source: Source,
  before: BackedUpPartition,
  onProgress: (entries: number) => void,
): Promise<BackedUpPartition> {
  const { kafka, topic, end, isTruth } = source;
  const { partition } = before;
  const chunks = createChunkWriter(directory, before);
  let next = await requireStart(source, before);
  while (next < end) {
    const [found] = await readPartitions(kafka, [{ topic, partition, offset: next }], liveRead);
    if (found === undefined) {
      if (isTruth) throw lacks(topic, partition, next);
      // Only control records remain.
      break;
    }
    const messages = found.messages.filter(({ offset }) => offset < end);
    if (isTruth) {
      requireWhole({ topic, partition, offset: next }, messages);
      reportForeign(source, partition, messages);
    }
    for (const message of messages) await chunks.add(message);
    onProgress(messages.length);
    next = found.nextOffset;
    // The response may extend beyond the end of this backup.
    if (next > end) next = end;
  }
  return { ...before, next: String(next), chunks: await chunks.finish() };
}

function reportForeign(
  { topic, onForeign }: Source,
  partition: number,
  messages: readonly ReadMessage[],
): void {
  for (const { offset, proof } of messages) {
    if (proof === 'wrong') onForeign({ topic, partition, offset });
  }
}

/** Collects entries, and writes a chunk when it is full. */
function createChunkWriter(directory: string, before: BackedUpPartition) {
  const chunks = [...before.chunks];
  let frames: Buffer[] = [];
  let bytes = 0;
  let first = 0n;

  async function flush(): Promise<void> {
    if (frames.length === 0) return;
    const name = `${before.topic}-${before.partition}-${String(first).padStart(20, '0')}.zst`;
    chunks.push(await writeChunk(directory, name, frames, chunks.at(-1)));
    frames = [];
    bytes = 0;
  }

  return {
    async add(message: ReadMessage): Promise<void> {
      const frame = toFrame(toEntry(message));
      if (bytes + frame.length > CHUNK_BYTES) await flush();
      if (frames.length === 0) first = message.offset;
      frames.push(frame);
      bytes += frame.length;
    },
    async finish(): Promise<readonly Chunk[]> {
      await flush();
      return chunks;
    },
  };
}

async function requireStart(
  { kafka, topic, end, isTruth }: Source,
  { partition, next }: BackedUpPartition,
): Promise<bigint> {
  if (BigInt(next) > end) {
    throw new OperatorError(
      `${topic}/${partition} ends at ${end}, but the backup has entries up to ${next}: Kafka lost entries, or this is another log. Run annals doctor for details.`,
    );
  }
  const start = await startOffset(kafka, topic, partition);
  const first = kafka.whole?.firstOffset(topic, partition) ?? 0n;
  if (isTruth && start > first) throw lacks(topic, partition, first);
  return BigInt(Math.max(Number(next), Number(start), isTruth ? Number(first) : 0));
}

function requireWhole(
  { topic, partition, offset: next }: PartitionPosition,
  messages: readonly ReadMessage[],
): void {
  const gap = messages.findIndex(({ offset }, index) => offset !== next + BigInt(index));
  if (gap !== -1) throw lacks(topic, partition, next + BigInt(gap));
}

function lacks(topic: string, partition: number, offset: bigint): OperatorError {
  return new OperatorError(
    `${topic}/${partition} lacks entry ${offset}, so this log cannot be backed up completely. Run annals topics check for details.`,
  );
}

function toEntry({ offset, timestamp, key, value, headers = {} }: ReadMessage) {
  const set = Object.entries(headers).flatMap(([name, bytes]) =>
    bytes === undefined ? [] : [[name, bytes] as const],
  );
  return {
    offset: Number(offset),
    timestamp,
    // Foreign entries may have no key or value; with empty ones they still do not count.
    key: key ?? '',
    value: value ?? Buffer.alloc(0),
    headers: Object.fromEntries(set),
  };
}

async function writeChunk(
  directory: string,
  name: string,
  frames: readonly Buffer[],
  after: Chunk | undefined,
): Promise<Chunk> {
  const packed = await packFrames(frames);
  // A killed run may have left a file with this name, which belongs to no backup.
  await writeFile(join(directory, name), packed, { mode: 0o600, flush: true });
  const sha256 = chainHash(after?.sha256 ?? '', packed);
  return { file: name, entries: frames.length, bytes: packed.length, sha256 };
}
