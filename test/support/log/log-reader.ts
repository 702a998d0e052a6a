import { pino } from 'pino';
import { type KafkaAccess, toKafkaAddress } from '../../../infra/local/kafka/kafka-access.ts';
import { emptyFold } from '../../../shared/events/fold.ts';
import type { Fence, LoggedEvent } from '../../../shared/events/log-entry.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import { createKafkaConnection, type KafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  endOffset,
  type ReadMessage,
  readPartitions,
  startOffset,
} from '../../../shared/kafka/read-partitions.ts';
import { unverifiedCodes } from '../../../shared/secrets/entry-codes.ts';

/** A partition of a truth topic, folded by the rule of all readers. */
interface FoldedPartition {
  readonly events: readonly LoggedEvent[];
  readonly fences: readonly Fence[];
  /** The number of invalid entries: from superseded writers, duplicated, or unreadable. */
  readonly skipped: number;
}

export interface LogReader {
  /** Returns all readable (committed) messages of a topic, by partition. */
  messages(topic: string): Promise<readonly (readonly ReadMessage[])[]>;
  folded(topic: string): Promise<readonly FoldedPartition[]>;
  /** Returns all valid events in all partitions. */
  events(topic: string): Promise<readonly LoggedEvent[]>;
  close(): Promise<void>;
}

const wholeTopic = {
  maxWaitMs: 100,
  maxBytes: 32 * 1024 * 1024,
  maxBytesPerPartition: 8 * 1024 * 1024,
};

/** Reads topics from their first to their last entry, with the project's own readers. */
export function createLogReader(kafka: KafkaAccess): LogReader {
  const connection = createKafkaConnection(
    { ...toKafkaAddress(kafka, 'annals-test-reader'), codes: unverifiedCodes },
    pino({ level: 'silent' }),
  );

  async function messages(topic: string): Promise<readonly (readonly ReadMessage[])[]> {
    const count = await connection.partitionsOf(topic);
    const partitions: (readonly ReadMessage[])[] = [];
    for (let partition = 0; partition < count; partition += 1) {
      partitions.push(await readPartition(connection, topic, partition));
    }
    return partitions;
  }

  const folded = async (topic: string): Promise<readonly FoldedPartition[]> =>
    (await messages(topic)).map(foldPartition);

  return {
    messages,
    folded,
    events: async (topic) => (await folded(topic)).flatMap(({ events }) => events),
    close: connection.close,
  };
}

async function readPartition(
  connection: KafkaConnection,
  topic: string,
  partition: number,
): Promise<readonly ReadMessage[]> {
  const end = await endOffset(connection, topic, partition);
  const found: ReadMessage[] = [];
  let offset = await startOffset(connection, topic, partition);
  while (offset < end) {
    const [read] = await readPartitions(connection, [{ topic, partition, offset }], wholeTopic);
    // Only control records remain.
    if (read === undefined) break;
    found.push(...read.messages);
    offset = read.nextOffset;
  }
  return found;
}

function foldPartition(messages: readonly ReadMessage[]): FoldedPartition {
  const events: LoggedEvent[] = [];
  const fences: Fence[] = [];
  let state = emptyFold;
  for (const message of messages) {
    const taken = takeMessage(state, message);
    state = taken.state;
    if (taken.entry === undefined) continue;
    const { entry } = taken;
    if (entry.kind === 'fence') fences.push(entry.fence);
    else events.push(entry.event);
  }
  return { events, fences, skipped: messages.length - events.length - fences.length };
}
