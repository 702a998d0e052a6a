import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import { encodeEvent, encodeFence } from '../../shared/events/log-entry-codec.ts';
import { partitionOf } from '../../shared/events/partition-of.ts';
import { createAppend, type Message } from '../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';

const BATCH_EVENTS = 1_000;

export interface FilledTopic {
  readonly brokers: string;
  /** Nobody has written to it before. */
  readonly topic: string;
  readonly partitions: number;
}

/** Appends events as their writers would: each partition under a fence of its own, each record where its id belongs. */
export async function fillLog(at: FilledTopic, events: Iterable<RecordEvent>): Promise<void> {
  const address = { brokers: at.brokers.split(','), clientId: 'annals-bench' };
  const connection = createKafkaConnection(address, pino({ level: 'silent' }));
  const append = createAppend(connection);
  const partitions = Array.from({ length: at.partitions }, () => openPartition());
  const flush = async (): Promise<void> => {
    const filled = partitions.map(({ waiting }, partition) => {
      const messages = waiting.splice(0);
      return messages.length === 0 ? undefined : append(at.topic, partition, messages);
    });
    await Promise.all(filled);
  };
  let waiting = 0;
  for (const event of events) {
    partitions[partitionOf(event.recordId, at.partitions)]?.add(event);
    waiting += 1;
    if (waiting % (BATCH_EVENTS * at.partitions) === 0) await flush();
  }
  await flush();
  await connection.close();
}

function openPartition() {
  const token = randomBytes(8).toString('hex');
  const owner = { owner: 'bench', address: 'http://127.0.0.1:1', occurredAt: Date.now() };
  const fence = encodeFence({ token, prevToken: null, ...owner });
  const waiting: Message[] = [{ key: 'fence', value: fence }];
  let sequence = 0;
  return {
    waiting,
    add(event: RecordEvent): void {
      sequence += 1;
      waiting.push({ key: event.recordId, value: encodeEvent({ ...event, token, sequence }) });
    },
  };
}
