import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import { encodeEvent, encodeFence } from '../../shared/events/log-entry-codec.ts';
import { createAppend } from '../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { createLogReader } from './log-reader.ts';

/**
 * Takes a partition over with a fence, as any other instance may, and appends events. For what the API of a product
 * cannot do (yet): deactivated users, custom fields. Nobody else may write to the partition meanwhile.
 */
export async function appendAsAnotherWriter(
  brokers: string,
  { topic, partition = 0 }: { readonly topic: string; readonly partition?: number },
  events: readonly RecordEvent[],
): Promise<void> {
  const reader = createLogReader(brokers);
  const connection = createKafkaConnection(
    { brokers: brokers.split(','), clientId: 'annals-test-writer' },
    pino({ level: 'silent' }),
  );
  try {
    const before = (await reader.folded(topic))[partition];
    const token = randomBytes(8).toString('hex');
    const fence = encodeFence({
      token,
      prevToken: before?.fences.at(-1)?.token ?? null,
      owner: 'another writer',
      address: 'http://127.0.0.1:1',
      occurredAt: Date.now(),
    });
    await createAppend(connection)(topic, partition, [
      { key: 'fence', value: fence },
      ...events.map((event, index) => ({
        key: event.recordId,
        value: encodeEvent({ ...event, token, sequence: index + 1 }),
      })),
    ]);
  } finally {
    await connection.close();
    await reader.close();
  }
}
