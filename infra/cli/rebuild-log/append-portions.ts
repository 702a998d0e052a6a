import { createAppendMessages, type Message, withCode } from '../../../shared/kafka/append.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';

interface Entry extends Message {
  /** Undefined for an entry without an authentication code. */
  readonly seals?: boolean;
}

export interface PartitionAppender {
  add(entry: Entry): Promise<void>;
  flush(): Promise<void>;
}

/** Far below the limit of the topics, which is 8 MiB. */
const PORTION_BYTES = 1024 * 1024;
const PORTION_ENTRIES = 1_000;

/**
 * Appends entries of the log with their codes, in portions. An append without a response ends the run: it is unknown
 * whether it took place, and the next run starts from the beginning.
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
