import { encodeFileChunk } from '../events/file-chunk-codec.ts';
import { partitionOf } from '../events/partition-of.ts';
import type { SchemaVersions } from '../events/schema-versions.ts';
import { createAppendCoded, type Message } from '../kafka/append.ts';
import type { KafkaConnection } from '../kafka/connection.ts';
import { toPortions } from './file-pieces.ts';
import type { FileContent, PutFile } from './file-store.ts';

/** Below the message size limit, and small enough for every download to hold one chunk in memory. */
const CHUNK_BYTES = 512 * 1024;

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
): PutFile {
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
  { sha256, size }: FileContent,
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
