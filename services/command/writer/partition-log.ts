import type { Logger } from 'pino';
import { createAppendMessages, type Message } from '../../../shared/kafka/append.ts';
import type { KafkaAddress, KafkaConnection } from '../../../shared/kafka/connection.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  endOffset,
  type ReadMessage,
  type ReadOptions,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';

interface LogMessage extends Message {
  /** From this fence on nothing without an authentication code counts. */
  readonly seals?: boolean;
}

/** The one partition a writer writes to. */
export interface PartitionLog {
  /** All messages as one batch; the offset of the first. An error leaves unknown whether they are or will be there. */
  append(messages: readonly LogMessage[]): Promise<bigint>;
  /** Some messages from this offset on; none only if the log ends there. */
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

/** Reading has a connection of its own, so that an append never waits behind a fetch. */
export function openPartitionLog(
  address: KafkaAddress,
  { topic, partition }: { readonly topic: string; readonly partition: number },
  log: Logger,
): PartitionLog {
  const writing: KafkaConnection = createKafkaConnection(address, log);
  const reading: KafkaConnection = createKafkaConnection(address, log);
  const append = createAppendMessages(writing);

  function coded({ seals, ...message }: LogMessage): Message {
    const code = address.codes?.headersOf({ topic, partition }, { value: message.value, seals });
    return code === undefined ? message : { ...message, headers: { ...message.headers, ...code } };
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
