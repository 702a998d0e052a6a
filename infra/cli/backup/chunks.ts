import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import {
  type BackupEntry,
  decodeBackupEntry,
  encodeBackupEntry,
} from '../../../shared/events/backup-entry-codec.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  type PartitionPosition,
  type ReadMessage,
  startOffset,
} from '../../../shared/kafka/read-partitions.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { readUpTo, toBackupEntry } from '../partition-entries.ts';
import {
  type BackedUpPartition,
  type Backup,
  type Chunk,
  chainHash,
  damaged,
} from './backup-file.ts';

/** The size of a chunk before compression. It limits the memory used per partition. */
const CHUNK_BYTES = 16 * 1024 * 1024;

/**
 * The number of entries with a wrong authentication code. They are invalid both in the log and after a restore, so they
 * are copied like all other entries.
 */
export interface ForeignEntries {
  entries: number;
  /** The places of the first of these entries. */
  readonly places: string[];
}

interface Source {
  readonly kafka: KafkaConnection;
  /** The topic name in Kafka. */
  readonly topic: string;
  readonly end: bigint;
  /** Whether the topic must have an entry at every offset. Topics with transactions and compacted topics have gaps. */
  readonly isTruth: boolean;
  readonly foreign: ForeignEntries;
  readonly onMessage?: ((message: ReadMessage) => void) | undefined;
}

/** Writes the entries since the previous backup, flushed to disk. Returns the new state of the partition's backup. */
export async function writeChunks(
  directory: string,
  source: Source,
  before: BackedUpPartition,
  onProgress: (entries: number) => void,
): Promise<BackedUpPartition> {
  const { kafka, topic, end, isTruth, onMessage } = source;
  const { partition } = before;
  const chunks = createChunkWriter(directory, before);
  const start = await requireStart(source, before);
  let next = start;
  for await (const read of readUpTo(kafka, { topic, partition, offset: end }, { start })) {
    if (isTruth) checkMessages(source, { topic, partition, offset: next }, read.messages);
    for (const message of read.messages) {
      onMessage?.(message);
      await chunks.add(message);
    }
    onProgress(read.messages.length);
    next = read.nextOffset;
  }
  // In other topics, only control records can remain before the end.
  if (isTruth && next < end) throw lacks(topic, partition, next);
  return { ...before, next: String(next), chunks: await chunks.finish() };
}

const FOREIGN_LISTED = 100;

function checkMessages(
  { foreign }: Source,
  { topic, partition, offset: next }: PartitionPosition,
  messages: readonly ReadMessage[],
): void {
  for (const [index, { offset, proof }] of messages.entries()) {
    const expected = next + BigInt(index);
    if (offset !== expected) throw lacks(topic, partition, expected);
    if (proof !== 'wrong') continue;
    foreign.entries += 1;
    if (foreign.places.length < FOREIGN_LISTED)
      foreign.places.push(`${topic}/${partition}/${offset}`);
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
    const file = `${before.topic}-${before.partition}-${String(first).padStart(20, '0')}.zst`;
    const packed = await packFrames(frames);
    // A killed run may have left a file with this name that is not part of any backup.
    await writeFile(join(directory, file), packed, { mode: 0o600, flush: true });
    const sha256 = chainHash(chunks.at(-1)?.sha256 ?? '', packed);
    chunks.push({ file, entries: frames.length, bytes: packed.length, sha256 });
    frames = [];
    bytes = 0;
  }

  return {
    async add(message: ReadMessage): Promise<void> {
      const frame = toFrame(toBackupEntry(message));
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

function lacks(topic: string, partition: number, offset: bigint): OperatorError {
  return new OperatorError(
    `${topic}/${partition} lacks entry ${offset}, so this log cannot be backed up completely. Run annals topics check for details.`,
  );
}

const LENGTH_BYTES = 4;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Encodes the length of the Avro bytes, then these bytes. */
function toFrame(entry: BackupEntry): Buffer {
  const bytes = encodeBackupEntry(entry);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function packFrames(frames: readonly Buffer[]): Promise<Buffer> {
  return compress(Buffer.concat(frames));
}

/** Must be called only with bytes whose checksum has been verified. */
async function unpackFrames(packed: Buffer): Promise<readonly BackupEntry[]> {
  const bytes = await decompress(packed);
  const entries: BackupEntry[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = at + LENGTH_BYTES + bytes.readUInt32BE(at);
    entries.push(decodeBackupEntry(bytes.subarray(at + LENGTH_BYTES, end)));
    at = end;
  }
  return entries;
}

/**
 * Yields the entries of a partition up to a time, in the order of the log, one chunk at a time. Stops at the first
 * later entry, so that the result is a state that the log once had. Throws OperatorError for a damaged chunk.
 */
export async function* readChunks(
  directory: string,
  { chunks }: BackedUpPartition,
  until?: number,
): AsyncGenerator<readonly BackupEntry[]> {
  let before = '';
  for (const { file, sha256 } of chunks) {
    const packed = await readFile(join(directory, file));
    if (chainHash(before, packed) !== sha256) throw damaged(directory, file);
    before = sha256;
    const entries = await unpackFrames(packed);
    const kept = upTo(entries, until);
    yield kept;
    if (kept.length < entries.length) return;
  }
}

export interface FoundEntries {
  readonly entries: number;
  /** The time of the last entry, in milliseconds since 1970; 0 without entries. */
  readonly lastAt: number;
}

/**
 * Reads and verifies all chunks before anything is written, and counts the entries that a restore would write for
 * each topic.
 */
export async function verifyBackup(
  directory: string,
  { partitions }: Backup,
  { until, onProgress }: { until: number | undefined; onProgress: (entries: number) => void },
): Promise<ReadonlyMap<string, FoundEntries>> {
  const found = new Map<string, FoundEntries>();
  for (const each of partitions) {
    let isOver = false;
    for await (const all of readChunks(directory, each)) {
      onProgress(all.length);
      const kept: readonly BackupEntry[] = isOver ? [] : upTo(all, until);
      isOver ||= kept.length < all.length;
      const { entries = 0, lastAt = 0 } = found.get(each.topic) ?? {};
      found.set(each.topic, {
        entries: entries + kept.length,
        lastAt: kept.reduce((last, { timestamp }) => Math.max(last, timestamp), lastAt),
      });
    }
  }
  return found;
}

function upTo(entries: readonly BackupEntry[], until: number | undefined): readonly BackupEntry[] {
  const end = until === undefined ? -1 : entries.findIndex(({ timestamp }) => timestamp > until);
  return end === -1 ? entries : entries.slice(0, end);
}
