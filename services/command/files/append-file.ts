import { encodeFileChunk } from '../../../shared/events/file-chunk-codec.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import type { SchemaVersions } from '../../../shared/events/schema-versions.ts';
import { createAppendCoded, type Message } from '../../../shared/kafka/append.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { type Pieces, toPortions } from './file-pieces.ts';

/** Below the message size limit, and small enough for every download to hold one chunk in memory. */
const CHUNK_BYTES = 512 * 1024;

/** A file and its key in the log: the SHA-256 of its bytes in lower-case hex. */
interface NamedContent {
  readonly sha256: string;
  readonly size: number;
  readonly pieces: Pieces;
}

/** Writes the bytes of a file to the log. */
export type AppendFile = (file: NamedContent) => Promise<void>;

/**
 * Returns a function that writes a file, and resolves when all in-sync replicas have the whole file. If it fails
 * earlier, the log keeps chunks that no record refers to. Idempotent: the same bytes become the same chunks. Holds one
 * portion of the file in memory.
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
    const partition = partitionOf(file.sha256, await kafka.partitionsOf(topic));
    let start = 0;
    for await (const portion of toPortions(file.pieces)) {
      requireRoom();
      const part = { portion, start, write: kafka.versions() };
      await append(topic, partition, toMessages(file, part));
      start += portion.length;
      onAppended(portion.length);
    }
  };
}

interface Part {
  readonly portion: Buffer;
  readonly start: number;
  readonly write: SchemaVersions;
}

function toMessages(
  { sha256, size }: NamedContent,
  { portion, start, write }: Part,
): readonly Message[] {
  const count = Math.ceil(portion.length / CHUNK_BYTES);
  return Array.from({ length: count }, (_, index) => {
    const from = index * CHUNK_BYTES;
    const content = portion.subarray(from, from + CHUNK_BYTES);
    const chunk = { sha256, size, start: start + from, content };
    return { key: sha256, value: encodeFileChunk(chunk, write) };
  });
}
