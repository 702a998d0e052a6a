import { pino } from 'pino';
import type { KafkaAccess } from '../../infra/local/kafka/kafka-access.ts';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import { partitionOf } from '../../shared/events/partition-of.ts';
import { createAppendMessages } from '../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { benchKafka } from './bench-kafka.ts';
import { openLogPartition } from './log-partition.ts';

const BATCH_EVENTS = 1_000;

export interface FilledTopic {
  readonly kafka: KafkaAccess;
  /** A topic without entries. */
  readonly topic: string;
  readonly partitions: number;
}

/**
 * A topic that is filled as its writers would: each partition starts with a fence, and each record is in its
 * own partition.
 */
export interface GrowingLog {
  add(event: RecordEvent): void;
  /** Appends the added events. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function growLog({ kafka, topic, partitions }: FilledTopic): GrowingLog {
  const address = benchKafka(kafka);
  const connection = createKafkaConnection(address, pino({ level: 'silent' }));
  const append = createAppendMessages(connection);
  const opened = Array.from({ length: partitions }, openLogPartition);
  return {
    add(event) {
      opened[partitionOf(event.recordId, partitions)]?.add(event);
    },
    async flush() {
      const filled = opened.map((one, partition) => {
        const messages = one.take();
        return messages.length === 0 ? undefined : append(topic, partition, messages);
      });
      await Promise.all(filled);
    },
    close: connection.close,
  };
}

export async function fillLog(at: FilledTopic, events: Iterable<RecordEvent>): Promise<void> {
  const log = growLog(at);
  let waiting = 0;
  for (const event of events) {
    log.add(event);
    waiting += 1;
    if (waiting % (BATCH_EVENTS * at.partitions) === 0) await log.flush();
  }
  await log.flush();
  await log.close();
}
