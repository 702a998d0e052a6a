import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { findQueued } from '../../infra/cli/rebuild-log/dispatcher-positions.ts';
import { createWorkTable, workSchema } from '../../infra/cli/rebuild-log/work-schema.ts';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { encodeEvent, encodeFence } from '../../shared/events/log-entry-codec.ts';
import { createAppendMessages } from '../../shared/kafka/append.ts';
import { createKafkaConnection, type KafkaConnection } from '../../shared/kafka/connection.ts';
import { ensureTopics, type TopicNames, topicNames } from '../../shared/kafka/topics.ts';
import { aCreation } from '../support/builders/record-event-builder.ts';
import { createTestDatabase } from '../support/harness/test-database.ts';

const silent = pino({ level: 'silent' });
const address = toKafkaAddress(inject('kafka'), 'queue-position-test');

let topics: TopicNames;
let client: Client;
let kafka: KafkaConnection;
let closers: (() => Promise<unknown>)[];

beforeEach(async () => {
  topics = topicNames(`test-${randomUUID()}`);
  const database = await createTestDatabase(inject('databaseUrl'));
  client = new Client({ connectionString: database.url });
  await client.connect();
  kafka = createKafkaConnection(address, silent);
  closers = [database.drop, () => client.end(), kafka.close];
  await ensureTopics(address, topics, { recordPartitions: 1 }, silent);
});

afterEach(async () => {
  for (const close of closers.toReversed()) await close();
});

function aFence(token: string, prevToken: string | null): Buffer {
  return encodeFence({
    token,
    prevToken,
    owner: 'test',
    address: 'http://127.0.0.1:9',
    occurredAt: 1,
  });
}

function anEvent(token: string, sequence: number): Buffer {
  return encodeEvent({ ...aCreation('Account', {}), token, sequence });
}

/** Writes entries, and returns where the dispatcher continues that was five entries ahead of the projector. */
async function findAfter(tail: readonly Buffer[]) {
  const rewritten = [aFence('a', null), anEvent('a', 1)];
  const entries = [...rewritten, ...tail].map((value) => ({ key: 'x', value }));
  await createAppendMessages(kafka)(topics.records, 0, entries);
  const columns = 'partition integer primary key, next_offset bigint, metadata text';
  await createWorkTable(client, 'queue', columns);
  await client.query(`insert into ${workSchema}.queue values (0, 7, 'a:6:0:0:0')`);
  const place = { topic: topics.records, partition: 0 };
  const state = { token: 'a', sequence: 1, sealed: false };
  const plan = { ...place, epochs: [], lastToken: 'a', filling: 0, first: 0n };
  return findQueued({ client, kafka }, plan, {
    before: { ...place, offset: 2n, ...state },
    after: { ...place, offset: 2n, ...state },
  });
}

it('the dispatcher continues at the end of a partition whose last entries are lost', async () => {
  expect(await findAfter([])).toMatchObject({ offset: 2n, token: 'a', sequence: 1 });
});

it('the dispatcher continues with the state of the kept entries', async () => {
  const kept = [aFence('b', 'a'), anEvent('b', 1)];
  expect(await findAfter(kept)).toMatchObject({ offset: 4n, token: 'b', sequence: 1 });
});

it('the dispatcher continues at its own position if all entries were kept', async () => {
  const kept = [2, 3, 4, 5, 6].map((sequence) => anEvent('a', sequence));
  expect(await findAfter(kept)).toMatchObject({ offset: 7n, metadata: 'a:6:0:0:0' });
});
