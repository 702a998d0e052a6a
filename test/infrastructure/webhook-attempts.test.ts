import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { attemptTables } from '../../services/projector/attempts/attempt-tables.ts';
import { runAttempts } from '../../services/projector/attempts/run-attempts.ts';
import { ensureSecondaryTables } from '../../services/projector/secondary/positions.ts';
import type { SecondaryProjection } from '../../services/projector/secondary/run-secondary-projection.ts';
import { createPool } from '../../shared/db/pool.ts';
import {
  findDelivery,
  listAttempts,
  listBatches,
  listDeliveries,
} from '../../shared/db/webhook-store.ts';
import { partitionOf } from '../../shared/events/partition-of.ts';
import {
  encodeWebhookAttempt,
  type WebhookAttempt,
} from '../../shared/events/webhook-attempt-codec.ts';
import {
  encodeWebhookBatch,
  toFreshBatch,
  type WebhookBatch,
} from '../../shared/events/webhook-batch-codec.ts';
import { createAppendMessages } from '../../shared/kafka/append.ts';
import { createKafkaConnection, type KafkaAddress } from '../../shared/kafka/connection.ts';
import { ensureTopics, topicNames } from '../../shared/kafka/topics.ts';
import { buildBatch } from '../support/builders/build-batch.ts';
import { projectorContext } from '../support/builders/projector-context.ts';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase } from '../support/harness/test-database.ts';

const DAY_MS = 86_400_000;
const PARTITIONS = 2;
const silent = pino({ level: 'silent' });
const webhookId = 'w1';
const page = { webhookId, offset: 0, limit: 50 };

let kafka: KafkaAddress;
let topics: ReturnType<typeof topicNames>;
let connection: ReturnType<typeof createKafkaConnection>;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: ReturnType<typeof createPool>;
const running: SecondaryProjection[] = [];
const bugs: unknown[] = [];

beforeEach(async () => {
  kafka = toKafkaAddress(inject('kafka'), 'attempts-test');
  topics = topicNames(`test-${randomUUID()}`);
  await ensureTopics(kafka, topics, { recordPartitions: PARTITIONS }, silent);
  connection = createKafkaConnection(kafka, silent);
  database = await createTestDatabase(inject('databaseUrl'));
  pool = createPool({ url: database.url, poolSize: 2, applicationName: 'attempts-test' });
  await withClient(database.url, (client) => ensureSecondaryTables(client, attemptTables));
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((projection) => projection.close()));
  await pool.end();
  await connection.close();
  await database.drop();
  expect(bugs.splice(0)).toEqual([]);
});

function start(): SecondaryProjection {
  const projection = runAttempts(
    projectorContext({
      kafka,
      topics,
      databaseUrl: database.url,
      attemptRetentionMs: 2 * DAY_MS,
      crash: (error) => bugs.push(error),
    }),
  );
  projection.assign(true);
  running.push(projection);
  return projection;
}

const append = (topic: string, ...values: readonly Buffer[]): Promise<void> =>
  appendWithHeaders(topic, {}, values);

async function appendWithHeaders(
  topic: string,
  headers: Readonly<Record<string, string>>,
  values: readonly Buffer[],
): Promise<void> {
  const messages = values.map((value) => ({ key: webhookId, value, headers }));
  await createAppendMessages(connection)(topic, partitionOf(webhookId, PARTITIONS), messages);
}

const anAttempt = (
  { batchId, events }: WebhookBatch,
  parts: Partial<WebhookAttempt> = {},
): WebhookAttempt => ({
  batchId,
  webhookId,
  attempt: 1,
  at: Date.now(),
  outcome: 'delivered',
  status: 200,
  reason: null,
  durationMs: 5,
  events: events.length,
  ...parts,
});

const batchesOf = async () =>
  (await listDeliveries(pool, page)).map(({ id, state }) => [id, state]);

describe('the read model of webhook deliveries', () => {
  it('returns nothing for an id that Postgres cannot store', async () => {
    for (const id of ['a\0b', '\ud800']) {
      expect(await findDelivery(pool, { webhookId, id })).toBeUndefined();
      expect(await listAttempts(pool, { ...page, batchId: id })).toEqual([]);
    }
  });

  it('survives interruptions and is restored after its tables are dropped', async () => {
    const [one, two] = [buildBatch(webhookId, 2), buildBatch(webhookId)];
    await append(topics.webhookBatches, encodeWebhookBatch(one), Buffer.from('no batch'));
    const first = start();
    await eventually(async () => expect(await batchesOf()).toEqual([[one.batchId, 'waiting']]));
    await append(
      topics.webhookAttempts,
      encodeWebhookAttempt(anAttempt(one, { outcome: 'retry', status: 500, reason: 'a\0b' })),
      encodeWebhookAttempt(anAttempt(one, { attempt: 2 })),
    );
    await eventually(async () => expect(await batchesOf()).toEqual([[one.batchId, 'delivered']]));
    await first.close();
    await append(topics.webhookBatches, encodeWebhookBatch({ ...two, enqueuedAt: Date.now() + 5 }));
    start();
    const all = [
      [two.batchId, 'waiting'],
      [one.batchId, 'delivered'],
    ];
    await eventually(async () => expect(await batchesOf()).toEqual(all));
    expect((await listAttempts(pool, page)).map(({ attempt }) => attempt)).toEqual([2, 1]);

    await withClient(database.url, (client) => client.query('drop schema annals_webhooks cascade'));
    await append(topics.webhookAttempts, encodeWebhookAttempt(anAttempt(two)));
    await eventually(
      async () =>
        expect(await batchesOf()).toEqual([
          [two.batchId, 'delivered'],
          [one.batchId, 'delivered'],
        ]),
      { timeoutMs: 20_000 },
    );
  });

  it('continues when its partitions are revoked and assigned again during a read', async () => {
    const [one, two] = [buildBatch(webhookId), buildBatch(webhookId)];
    await append(topics.webhookBatches, encodeWebhookBatch(one));
    const projection = start();
    await eventually(async () => expect(await batchesOf()).toHaveLength(1));
    // With nothing left to store, it is in a read almost all the time.
    for (let turn = 0; turn < 3; turn += 1) {
      projection.assign(false);
      projection.assign(true);
      await setTimeout(300);
    }
    await append(topics.webhookBatches, encodeWebhookBatch(two));
    await eventually(async () => expect(await batchesOf()).toHaveLength(2));
    expect(bugs).toEqual([]);
  });

  it('shows a batch that is enqueued again as waiting until its new delivery ends', async () => {
    const batch = buildBatch(webhookId);
    const dead = encodeWebhookAttempt(anAttempt(batch, { outcome: 'dead', status: 500 }));
    await append(topics.webhookBatches, encodeWebhookBatch(batch));
    await append(topics.webhookAttempts, dead);
    start();
    const stateIs = (state: string) =>
      eventually(async () => expect(await batchesOf()).toEqual([[batch.batchId, state]]));
    const deadOnes = () => listBatches(pool, { webhookId, state: 'dead', limit: 10 });
    await stateIs('dead');
    expect(await deadOnes()).toEqual([batch]);
    const again = encodeWebhookBatch(toFreshBatch(batch, Date.now()));
    await append(topics.webhookBatches, again, again);
    await stateIs('waiting');
    expect(await deadOnes()).toEqual([]);
    await append(topics.webhookAttempts, dead);
    await eventually(async () => expect(await listAttempts(pool, page)).toHaveLength(2));
    await stateIs('waiting');
    await append(topics.webhookAttempts, encodeWebhookAttempt(anAttempt(batch)));
    await stateIs('delivered');
  });

  it('keeps the sequence numbers that a batch got with its first request', async () => {
    const batch = buildBatch(webhookId, 3);
    await append(topics.webhookBatches, encodeWebhookBatch(batch));
    await appendWithHeaders(topics.webhookAttempts, { sequences: '4,,5' }, [
      encodeWebhookAttempt(anAttempt(batch, { outcome: 'dead', status: 500 })),
    ]);
    await appendWithHeaders(topics.webhookAttempts, { sequences: 'none' }, [
      encodeWebhookAttempt(anAttempt(batch, { outcome: 'dropped', attempt: 0, status: null })),
    ]);
    start();
    await eventually(async () => expect(await listAttempts(pool, page)).toHaveLength(2));

    const numbers = ({ events }: WebhookBatch) => events.map(({ sequence }) => sequence);
    const found = await findDelivery(pool, { webhookId, id: batch.batchId });
    expect(found && numbers(found.batch)).toEqual([4, undefined, 5]);
    const [listed] = await listBatches(pool, { webhookId, limit: 1 });
    expect(listed && numbers(listed)).toEqual([4, undefined, 5]);
  });

  it('can be read before a projector of this version has added its columns', async () => {
    const batch = buildBatch(webhookId);
    await append(topics.webhookBatches, encodeWebhookBatch(batch));
    await append(topics.webhookAttempts, encodeWebhookAttempt(anAttempt(batch)));
    start();
    await eventually(async () => expect(await listAttempts(pool, page)).toHaveLength(1));
    await Promise.all(running.splice(0).map((projection) => projection.close()));
    await withClient(database.url, (client) =>
      client.query('alter table annals_webhooks.attempts drop column sequences'),
    );
    expect(await listBatches(pool, { webhookId, limit: 1 })).toEqual([batch]);
  });

  it('is listed page by page with a size limit per page', async () => {
    const enqueuedAt = Date.now();
    const large = Array.from({ length: 9 }, () => ({
      ...buildBatch(webhookId, 1, 'x'.repeat(700_000)),
      enqueuedAt,
    }));
    for (const batch of large) await append(topics.webhookBatches, encodeWebhookBatch(batch));
    start();
    await eventually(async () => expect(await batchesOf()).toHaveLength(9));
    const first = await listBatches(pool, { webhookId, limit: 500 });
    expect(first.length).toBeLessThan(8);
    const rest = await listBatches(pool, { webhookId, after: first.at(-1), limit: 500 });
    const ids = large.map(({ batchId }) => batchId).toSorted();
    expect([...first, ...rest].map(({ batchId }) => batchId)).toEqual(ids);
    expect(await listBatches(pool, { webhookId, after: rest.at(-1), limit: 500 })).toEqual([]);
  });

  it('is stored once by two projectors that both own the topic', async () => {
    start();
    start();
    const batches = Array.from({ length: 20 }, () => buildBatch(webhookId));
    for (const batch of batches) {
      await append(topics.webhookBatches, encodeWebhookBatch(batch));
      await append(topics.webhookAttempts, encodeWebhookAttempt(anAttempt(batch)));
    }
    await eventually(async () => expect(await listAttempts(pool, page)).toHaveLength(20), {
      timeoutMs: 20_000,
    });
    expect(new Set((await listAttempts(pool, page)).map(({ batchId }) => batchId)).size).toBe(20);
  });

  it('drops deliveries after the retention period and never reads them again', async () => {
    const old = { ...buildBatch(webhookId), enqueuedAt: Date.now() - 3 * DAY_MS };
    const fresh = buildBatch(webhookId);
    await append(topics.webhookBatches, encodeWebhookBatch(old), encodeWebhookBatch(fresh));
    const oldDay = new Date(Date.now() - 10 * DAY_MS).toISOString().slice(0, 10);
    const nextDay = new Date(Date.now() - 9 * DAY_MS).toISOString().slice(0, 10);
    await withClient(database.url, (client) =>
      client.query(
        `create table annals_webhooks.batches_${oldDay.replaceAll('-', '')}
         partition of annals_webhooks.batches for values from ('${oldDay}') to ('${nextDay}')`,
      ),
    );
    start();
    await eventually(async () => expect(await batchesOf()).toEqual([[fresh.batchId, 'waiting']]));
    await eventually(async () => {
      const { rows } = await pool.query(
        "select relname from pg_class where relname like 'batches_2%' and relkind = 'r'",
      );
      const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
      expect(rows).toEqual([{ relname: `batches_${today}` }]);
    });
  });
});
