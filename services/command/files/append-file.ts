import { encodeFileChunk } from '../../../shared/events/file-chunk-codec.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import type { SchemaVersions } from '../../../shared/events/schema-versions.ts';
import { createAppendCoded, type Message } from '../../../shared/kafka/append.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';

/** Size of a piece: below the limit of messages, and small enough to hold one in memory per download. */
const CHUNK_BYTES = 512 * 1024;
/** Size of one append, which costs a flush of the disk: below the limit of the topic. */
const CHUNKS_PER_APPEND = 4;

/** A file and its key in the log: the SHA-256 of its bytes in lower-case hex. */
interface NamedContent {
  readonly sha256: string;
  readonly content: Buffer;
}

/** Writes the bytes of a file to the log. */
export type AppendFile = (file: NamedContent) => Promise<void>;

/**
 * Resolves when all in-sync replicas have the whole file. A failure before leaves pieces that no record refers to.
 * Idempotent: the same bytes become the same pieces.
 */
export function createAppendFile(
  {
    kafka,
    topic,
    requireRoom,
  }: {
    readonly kafka: KafkaConnection;
    readonly topic: string;
    readonly requireRoom: () => void;
  },
  onAppended: (bytes: number) => void,
): AppendFile {
  const append = createAppendCoded(kafka);
  return async (file) => {
    const { sha256, content } = file;
    const partition = partitionOf(sha256, await kafka.partitionsOf(topic));
    const portion = CHUNKS_PER_APPEND * CHUNK_BYTES;
    for (let start = 0; start < content.length; start += portion) {
      const end = Math.min(start + portion, content.length);
      requireRoom();
      await append(topic, partition, toMessages(file, { start, end, write: kafka.versions() }));
      onAppended(end - start);
    }
  };
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly write: SchemaVersions;
}

function toMessages(
  { sha256, content }: NamedContent,
  { start, end, write }: Part,
): readonly Message[] {
  const count = Math.ceil((end - start) / CHUNK_BYTES);
  return Array.from({ length: count }, (_, index) => {
    const from = start + index * CHUNK_BYTES;
    const piece = content.subarray(from, Math.min(from + CHUNK_BYTES, end));
    const chunk = { sha256, size: content.length, start: from, content: piece };
    return { key: sha256, value: encodeFileChunk(chunk, write) };
  });
}
