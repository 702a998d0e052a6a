import type { Logger } from 'pino';
import { createAppendMessages, type Message, withCode } from '../../../shared/kafka/append.ts';
import { createKafkaConnection, type KafkaAddress } from '../../../shared/kafka/connection.ts';
import {
  endOffset,
  type ReadMessage,
  type ReadOptions,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';

interface LogMessage extends Message {
  /** True if this fence seals the log: after it, only entries with an authentication code are valid. */
  readonly seals?: boolean;
}

/** The operations of a writer on its partition. */
export interface PartitionLog {
  /**
   * Appends all messages as one batch. Resolves with the offset of the first one. After an error, it is unknown whether
   * the messages are in the log, or will be later.
   */
  append(messages: readonly LogMessage[]): Promise<bigint>;
  /** Reads messages starting at this offset. Empty only if the log ends there. */
  read(from: bigint): Promise<{ readonly messages: readonly ReadMessage[]; readonly next: bigint }>;
  /** The offset after the last message. */
  end(): Promise<bigint>;
  close(): Promise<void>;
}

const atOnce: ReadOptions = {
  maxWaitMs: 50,
  maxBytes: 8 * 1024 * 1024,
  maxBytesPerPartition: 8 * 1024 * 1024,
};

/** Reads use a separate connection, so that no append waits behind a fetch. */
export function openPartitionLog(
  address: KafkaAddress,
  { topic, partition }: { readonly topic: string; readonly partition: number },
  log: Logger,
): PartitionLog {
  const writing = createKafkaConnection(address, log);
  const reading = createKafkaConnection(address, log);
  const append = createAppendMessages(writing);
  const place = { topic, partition };

  function coded(message: LogMessage): Message {
    return withCode(message, { codes: address.codes, place, seals: message.seals });
  }

  return {
    append: (messages) => append(topic, partition, messages.map(coded)),
    async read(from) {
      const [found] = await readPartitions(reading, [{ topic, partition, offset: from }], atOnce);
      return found === undefined
        ? { messages: [], next: from }
        : { messages: found.messages, next: found.nextOffset };
    },
    end: () => endOffset(reading, topic, partition),
    async close() {
      await Promise.all([writing.close(), reading.close()]);
    },
  };
}
