import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoggedEvent } from '../../shared/events/log-entry.ts';
import { decodeWebhookBatch } from '../../shared/events/webhook-batch-codec.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { createLogReader, type LogReader } from '../support/log-reader.ts';
import { type StartedProduct, startProduct } from '../support/product.ts';
import { foldAccounts, keyOfEvent, proveLog, proveReadModel } from '../support/prove-writes.ts';
import { registerWebhook } from '../support/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../support/subscriber.ts';
import { type AttemptedWrite, startWriteLoad, type WriteLoad } from '../support/write-load.ts';

const topics = topicNames('faults');
const writes: AttemptedWrite[] = [];
const subscriptions = [
  { event: 'Account.create', path: '/create', type: 'Created' },
  { event: 'Account.update', path: '/update', type: 'Updated' },
  { event: 'Account.fieldUpdate.description', path: '/field', type: 'Updated' },
  { event: 'Account.delete', path: '/delete', type: 'Deleted' },
] as const;

let product: StartedProduct;
let api: ApiClient;
let log: LogReader;
let subscriber: Subscriber;
const webhookIds = new Map<string, string>();

beforeAll(async () => {
  subscriber = await startSubscriber();
  product = await startProduct({
    infrastructure: 'own',
    env: {
      ANNALS_TOPIC_PREFIX: 'faults',
      WEBHOOK_QUEUE_INTERVAL: '1s',
      WEBHOOK_QUEUE_EVENT_PORTION_SIZE: '0',
      WEBHOOK_QUEUE_PORTION_SIZE: '0',
      WEBHOOK_FAIL_ATTEMPT_PERIOD: '1s',
      WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
    },
  });
  const { apiKey, kafka } = product.access();
  api = createApiClient(product.url, withApiKey(apiKey));
  log = createLogReader(kafka.brokers);
  for (const { event, path } of subscriptions) {
    const { id } = await registerWebhook(api, { event, url: subscriber.url(path) });
    webhookIds.set(path, id);
  }
});

afterAll(async () => {
  await log?.close();
  api?.close();
  await product?.remove();
  await subscriber?.close();
});

const patience = { timeoutMs: 40_000, intervalMs: 100 };

/** Waits until so many more writes were acknowledged than now. */
const progress = async (load: WriteLoad, count: number) => {
  const goal = load.acknowledged() + count;
  await eventually(() => expect(load.acknowledged()).toBeGreaterThanOrEqual(goal), patience);
};

const untilUnanswered = async () =>
  eventually(() => expect(subscriber.unanswered()).toBeGreaterThan(0), { intervalMs: 5 });

/** Kills a process as a crash does, and waits until the supervisor has started it again. */
const killAndWait = async (part: Parameters<StartedProduct['kill']>[0]) => {
  const killed = product.kill(part);
  await eventually(() => expect(product.access().processes[part]).not.toBe(killed), patience);
};

/** Everything that four invariants of the design promise about the writes of all loads so far. */
async function proveAll(load: WriteLoad): Promise<void> {
  expect(load.complaints).toEqual([]);
  const events = await proveLog(log, topics.records, writes);
  await eventually(async () => proveReadModel(product.access().postgres.url, events), patience);
  await proveReads(events);
  await eventually(async () => proveBatches(events), patience);
  await eventually(() => proveRequests(events), patience);
}

async function proveReads(events: readonly LoggedEvent[]): Promise<void> {
  const live = foldAccounts(events).filter(({ deleted }) => !deleted);
  expect(listIn(await api.get('/Account?maxSize=1')).total).toBe(live.length);
  for (let at = 0; at < live.length; at += 50) {
    const some = live.slice(at, at + 50);
    const read = await Promise.all(some.map(async ({ id }) => api.get(`/Account/${id}`)));
    const found = read.map(recordIn);
    expect(found.map(({ id, name, description }) => ({ id, name, description }))).toEqual(
      some.map(({ id, name, description }) => ({ id, name, description })),
    );
  }
}

const batchesOf = async (path: string) =>
  (await log.messages(topics.webhookBatches))
    .flat()
    .map(({ value }) => decodeWebhookBatch(value))
    .filter(({ webhookId }) => webhookId === webhookIds.get(path));

/** Each event of the log is enqueued once for each webhook that it matches. */
async function proveBatches(events: readonly LoggedEvent[]): Promise<void> {
  for (const { path, type } of subscriptions) {
    const enqueued = (await batchesOf(path)).flatMap((batch) => batch.events);
    const matching = events.filter((event) => event.type === type);
    expect(enqueued.map(({ eventId }) => eventId).toSorted()).toEqual(
      matching.map(({ eventId }) => eventId).toSorted(),
    );
  }
}

/** The receiver got every event; a repeated request is known by its id and has the same body. */
function proveRequests(events: readonly LoggedEvent[]): void {
  for (const { path, type } of subscriptions) {
    const expected = events.filter((event) => event.type === type).map(keyOfEvent);
    const received = subscriber.events(path).map(({ id, name, description }) => {
      if (type === 'Created') return `create ${name}`;
      return type === 'Updated' ? `update ${id} ${description}` : `delete ${id} `;
    });
    expect(new Set(received)).toEqual(new Set(expected));
    const byBatch = Map.groupBy(subscriber.requests(path), (it) => it.headers['webhook-id']);
    for (const requests of byBatch.values()) {
      expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(1);
    }
  }
}

describe('a load of writes', () => {
  it.each(['api', 'projector'] as const)(
    'loses and doubles nothing when the %s is killed twice in its midst',
    async (service) => {
      const load = startWriteLoad(api, writes);
      for (const _ of ['first', 'second']) {
        await progress(load, 150);
        await killAndWait(service);
        await product.waitUntilReady(service);
      }
      await progress(load, 150);
      await load.stop();

      await proveAll(load);
    },
  );

  it('loses nothing when the dispatcher is killed, at any time and between request and answer', async () => {
    subscriber.answerAfter(200);
    const load = startWriteLoad(api, writes);
    // The queue is processed every second: so many writes later it waits, reads, or commits.
    for (const count of [0, 300, 450, 600]) {
      await progress(load, count);
      if (count === 0) await untilUnanswered();
      await killAndWait('dispatcher');
      await product.waitUntilReady('dispatcher');
    }
    await progress(load, 150);
    await load.stop();
    subscriber.answerAfter(0);

    await proveAll(load);
    const ids = subscriber.allRequests().map(({ headers }) => headers['webhook-id']);
    expect(ids.length, 'no request was repeated').toBeGreaterThan(new Set(ids).size);
  });

  it.each(['kafka', 'postgres'] as const)(
    'loses and doubles nothing when %s is killed in its midst',
    async (part) => {
      const load = startWriteLoad(api, writes);
      await progress(load, 150);
      await killAndWait(part);
      await progress(load, 150);
      await load.stop();

      await proveAll(load);
    },
  );
});
