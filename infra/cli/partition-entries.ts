import type { BackupEntry } from '../../shared/events/backup-entry-codec.ts';
import { createAppendMessages, type Message, withCode } from '../../shared/kafka/append.ts';
import type { KafkaConnection } from '../../shared/kafka/connection.ts';
import {
  type FetchedPartition,
  liveRead,
  type PartitionPosition,
  type ReadMessage,
  readPartitions,
} from '../../shared/kafka/read-partitions.ts';

/**
 * Yields the messages in a partition from an offset up to `end`, several at a time. Stops early if the partition ends
 * before that.
 */
export async function* readUpTo(
  kafka: KafkaConnection,
  end: PartitionPosition,
  { start = 0n, options = liveRead } = {},
): AsyncGenerator<FetchedPartition> {
  for (let next = start; next < end.offset; ) {
    const [found] = await readPartitions(kafka, [{ ...end, offset: next }], options);
    if (found === undefined) return;
    const messages = found.messages.filter(({ offset }) => offset < end.offset);
    next = found.nextOffset;
    // The response may extend beyond the end.
    if (next > end.offset) next = end.offset;
    yield { ...found, messages, nextOffset: next };
  }
}

/** An entry without a key or value is foreign. It gets an empty key or value instead, which keeps it invalid. */
export function toBackupEntry({
  offset,
  timestamp,
  key,
  value,
  headers = {},
}: ReadMessage): BackupEntry {
  const set = Object.entries(headers).flatMap(([name, bytes]) =>
    bytes === undefined ? [] : [[name, bytes] as const],
  );
  return {
    offset: Number(offset),
    timestamp,
    key: key ?? '',
    value: value ?? Buffer.alloc(0),
    headers: Object.fromEntries(set),
  };
}

export function toMessage({ key, value, headers, timestamp }: BackupEntry): Message {
  return { key, value, headers, timestamp };
}

interface AppendedEntry extends Message {
  /** Undefined for an entry without an authentication code. */
  readonly seals?: boolean;
}

export interface PartitionAppender {
  add(entry: AppendedEntry): Promise<void>;
  flush(): Promise<void>;
}

/** Far below the message size limit of the topics, which is 8 MiB. */
const PORTION_BYTES = 1024 * 1024;
const PORTION_ENTRIES = 1_000;

/**
 * Appends log entries with their codes, in portions. If an append gets no response, its outcome is unknown, so the run
 * ends, and the next run starts from the beginning.
 */
export function createPartitionAppender(
  kafka: KafkaConnection,
  place: { readonly topic: string; readonly partition: number },
  onAppended: (entries: number) => void = () => undefined,
  isCoded = true,
): PartitionAppender {
  const { topic, partition } = place;
  const append = createAppendMessages(kafka);
  let portion: Message[] = [];
  let bytes = 0;

  const flush = async (): Promise<void> => {
    if (portion.length === 0) return;
    await append(topic, partition, portion);
    onAppended(portion.length);
    portion = [];
    bytes = 0;
  };

  return {
    async add({ seals, ...message }) {
      const isFull = bytes + message.value.length > PORTION_BYTES;
      if (isFull || portion.length >= PORTION_ENTRIES) await flush();
      portion.push(isCoded ? withCode(message, { codes: kafka.codes, place, seals }) : message);
      bytes += message.value.length;
    },
    flush,
  };
}
