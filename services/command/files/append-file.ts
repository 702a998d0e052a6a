import { encodeFileChunk } from '../../../shared/events/file-chunk-codec.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import { createAppendMessages, type Message } from '../../../shared/kafka/append.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';

/** Far below the size of a message, and small enough to be held in memory for each of many downloads. */
const CHUNK_BYTES = 512 * 1024;
/** One append, one flush of the disk: far below what a topic takes at once. */
const CHUNKS_PER_APPEND = 4;

/** A file and its name in the log, the SHA-256 of its bytes in lower-case hex. */
interface NamedContent {
  readonly sha256: string;
  readonly content: Buffer;
}

/** Writes the bytes of a file to the log. */
export type AppendFile = (file: NamedContent) => Promise<void>;

/**
 * Answers when all in-sync replicas have all of the file. Whatever goes wrong before leaves pieces that no record refers
 * to; the same bytes sent again are the same pieces, so doing it twice changes nothing.
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
  const append = createAppendMessages(kafka);
  return async (file) => {
    const { sha256, content } = file;
    const partition = partitionOf(sha256, await kafka.partitionsOf(topic));
    const portion = CHUNKS_PER_APPEND * CHUNK_BYTES;
    for (let start = 0; start < content.length; start += portion) {
      const end = Math.min(start + portion, content.length);
      requireRoom();
      await append(topic, partition, toMessages(file, { start, end }));
      onAppended(end - start);
    }
  };
}

function toMessages(
  { sha256, content }: NamedContent,
  { start, end }: { readonly start: number; readonly end: number },
): readonly Message[] {
  const count = Math.ceil((end - start) / CHUNK_BYTES);
  return Array.from({ length: count }, (_, index) => {
    const from = start + index * CHUNK_BYTES;
    const piece = content.subarray(from, Math.min(from + CHUNK_BYTES, end));
    const chunk = { sha256, size: content.length, start: from, content: piece };
    return { key: sha256, value: encodeFileChunk(chunk) };
  });
}
