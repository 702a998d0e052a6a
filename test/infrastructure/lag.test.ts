import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import { createAppendMessages } from '../../shared/kafka/append.ts';
import { createKafkaConnection, type KafkaConnection } from '../../shared/kafka/connection.ts';
import { measureLag } from '../../shared/kafka/measure-lag.ts';
import { ensureTopics, topicNames } from '../../shared/kafka/topics.ts';

const log = pino({ level: 'silent' });
const topics = topicNames(`test-${randomUUID()}`);
const topic = topics.records;

let connection: KafkaConnection;

beforeAll(async () => {
  const kafka = toKafkaAddress(inject('kafka'), 'lag-test');
  await ensureTopics(kafka, topics, { recordPartitions: 2 }, log);
  connection = createKafkaConnection(kafka, log);
  const append = createAppendMessages(connection);
  const message = { key: 'k', value: Buffer.from('v') };
  await append(topic, 0, [message, message]);
  await append(topic, 0, [message]);
});

afterAll(async () => {
  await connection?.close();
});

describe('the lag of a position', () => {
  it('consists of the number of later entries and the age of the first one', async () => {
    const now = Date.now() + 60_000;
    const lags = await measureLag(
      connection,
      [
        { topic, partition: 0, offset: 1n },
        { topic, partition: 0, offset: 3n },
        { topic, partition: 1, offset: 0n },
      ],
      now,
    );
    expect(lags.map(({ entries }) => entries)).toEqual([2, 0, 0]);
    expect(lags[0]?.seconds).toBeGreaterThan(59);
    expect(lags[0]?.seconds).toBeLessThan(120);
    expect(lags.slice(1).map(({ seconds }) => seconds)).toEqual([0, 0]);
  });

  it('is unknown if Kafka does not respond', async () => {
    const nowhere = createKafkaConnection({ brokers: ['127.0.0.1:1'], clientId: 'lag-test' }, log);
    await expect(
      measureLag(nowhere, [{ topic, partition: 0, offset: 0n }], Date.now()),
    ).rejects.toThrow(Unavailable);
    await nowhere.close();
  });
});
