import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { type KafkaAccess, toKafkaAddress } from '../../../infra/local/kafka/kafka-access.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { encodeEvent, encodeFence } from '../../../shared/events/log-entry-codec.ts';
import { createAppendMessages } from '../../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import type { EntryCodes } from '../../../shared/secrets/entry-codes.ts';
import { createLogReader } from './log-reader.ts';
import { testCodes } from './test-codes.ts';

/**
 * Takes a partition over with a fence, like another instance, and appends events, for changes that the API
 * cannot make. No other writer may write to the partition meanwhile.
 */
export async function appendAsAnotherWriter(
  kafka: KafkaAccess,
  {
    topic,
    partition = 0,
    codes = testCodes,
  }: { readonly topic: string; readonly partition?: number; readonly codes?: EntryCodes },
  events: readonly RecordEvent[],
): Promise<void> {
  const reader = createLogReader(kafka);
  const connection = createKafkaConnection(
    toKafkaAddress(kafka, 'annals-test-writer'),
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
    const coded = (key: string, value: Buffer) => ({
      key,
      value,
      headers: codes.headersOf({ topic, partition }, { value }),
    });
    await createAppendMessages(connection)(topic, partition, [
      coded('fence', fence),
      ...events.map((event, index) =>
        coded(event.recordId, encodeEvent({ ...event, token, sequence: index + 1 })),
      ),
    ]);
  } finally {
    await connection.close();
    await reader.close();
  }
}
