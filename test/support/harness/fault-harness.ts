import { pino } from 'pino';
import { expect } from 'vitest';
import { verifyReadModel } from '../../../infra/cli/verify/verify-read-model.ts';
import { toKafkaAddress } from '../../../infra/local/kafka/kafka-access.ts';
import { createClient } from '../../../shared/db/pool.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { decodeWebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import { topicNames } from '../../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../api-client.ts';
import { withApiKey } from '../credentials.ts';
import { eventually } from '../eventually.ts';
import { createLogReader, type LogReader } from '../log/log-reader.ts';
import { codesOf } from '../log/test-codes.ts';
import { foldAccounts, keyOfEvent, proveLog, proveReadModel } from '../proofs/prove-writes.ts';
import { registerWebhook } from '../receivers/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../receivers/subscriber.ts';
import { type AttemptedWrite, startWriteLoad, type WriteLoad } from '../write-load.ts';
import { type StartedProduct, startProduct } from './product.ts';

const topics = topicNames('faults');
const subscriptions = [
  { event: 'Account.create', path: '/create', type: 'Created' },
  { event: 'Account.update', path: '/update', type: 'Updated' },
  { event: 'Account.fieldUpdate.description', path: '/field', type: 'Updated' },
  { event: 'Account.delete', path: '/delete', type: 'Deleted' },
] as const;
const patience = { timeoutMs: 40_000, intervalMs: 100 };

/**
 * A product with its own Kafka and Postgres under a load of writes, and the proofs that no write was lost or
 * duplicated.
 */
export type FaultHarness = Awaited<ReturnType<typeof createFaultHarness>>;

export async function createFaultHarness(env: NodeJS.ProcessEnv = {}) {
  const writes: AttemptedWrite[] = [];
  const webhookIds = new Map<string, string>();
  let stoodBefore: ReadonlySet<string> | undefined;
  const subscriber = await startSubscriber();
  const product = await startProduct({
    infrastructure: 'own',
    env: {
      ANNALS_TOPIC_PREFIX: 'faults',
      WEBHOOK_QUEUE_INTERVAL: '1s',
      WEBHOOK_QUEUE_EVENT_PORTION_SIZE: '0',
      WEBHOOK_QUEUE_PORTION_SIZE: '0',
      WEBHOOK_FAIL_ATTEMPT_PERIOD: '1s',
      WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
      ...env,
    },
  });
  const { apiKey, kafka } = product.access();
  const api = createApiClient(product.url, withApiKey(apiKey));
  const log = createLogReader(kafka);
  for (const { event, path } of subscriptions) {
    const { id } = await registerWebhook(api, { event, url: subscriber.url(path) });
    webhookIds.set(path, id);
  }

  const proofs = createProofs({ api, log, subscriber, webhookIds });

  /** Waits until this number of further writes is acknowledged. */
  async function progress(load: WriteLoad, count: number): Promise<void> {
    const goal = load.acknowledged() + count;
    await eventually(() => expect(load.acknowledged()).toBeGreaterThanOrEqual(goal), patience);
  }

  return {
    product,
    subscriber,
    async startLoad(): Promise<WriteLoad> {
      stoodBefore ??= new Set((await log.events(topics.records)).map(({ eventId }) => eventId));
      return startWriteLoad(api, writes);
    },
    progress,
    /** Returns the address of the instance that owns the directory. */
    async directoryOwner(): Promise<string | undefined> {
      const [directory] = await log.folded(topics.directory);
      return directory?.fences.at(-1)?.address;
    },
    untilUnanswered: async () =>
      eventually(() => expect(subscriber.unanswered()).toBeGreaterThan(0), { intervalMs: 5 }),
    /** Kills a process, with SIGKILL by default, and waits until the supervisor has restarted it. */
    async killAndWait(part: string, signal?: NodeJS.Signals): Promise<void> {
      const killed = product.kill(part, signal);
      await eventually(() => expect(product.access().processes[part]).not.toBe(killed), patience);
    },
    /** Checks all promises about the writes of all loads so far. */
    async proveAll(load: WriteLoad): Promise<void> {
      expect(load.complaints).toEqual([]);
      // A paused process may complete a write after its client gave up; the retry then reads the later log.
      await eventually(async () => {
        const found = await proveLog(log, topics.records, writes, stoodBefore);
        await proveReadModel(product.access().postgres.url, found);
        await proofs.reads(found);
        await proofs.batches(found);
        proofs.requests(found);
      }, patience);
      await proveVerified(product);
    },
    async close(): Promise<void> {
      await log.close();
      api.close();
      await product.remove();
      await subscriber.close();
    },
  };
}

interface ProofDeps {
  readonly api: ApiClient;
  readonly log: LogReader;
  readonly subscriber: Subscriber;
  /** Webhook ids by path of the receiver. */
  readonly webhookIds: ReadonlyMap<string, string>;
}

function createProofs({ api, log, subscriber, webhookIds }: ProofDeps) {
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

  /** Checks that each event is enqueued once for each webhook that it matches. */
  async function proveBatches(events: readonly LoggedEvent[]): Promise<void> {
    for (const { path, type } of subscriptions) {
      const enqueued = (await batchesOf(path)).flatMap((batch) => batch.events);
      const matching = events.filter((event) => event.type === type);
      expect(enqueued.map(({ eventId }) => eventId).toSorted()).toEqual(
        matching.map(({ eventId }) => eventId).toSorted(),
      );
    }
  }

  /** Checks that the receiver got all events. Repeated requests have the same id and body. */
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

  return { reads: proveReads, batches: proveBatches, requests: proveRequests };
}

/** Checks that the operators' own verification finds nothing. */
async function proveVerified(product: StartedProduct): Promise<void> {
  const { kafka, postgres } = product.access();
  const { list } = await verifyReadModel({
    kafka: {
      ...toKafkaAddress(kafka, 'faults-verify'),
      codes: codesOf(product),
    },
    topics,
    async connect() {
      const client = createClient({ url: postgres.url, applicationName: 'faults-verify' });
      await client.connect();
      return client;
    },
    log: pino({ level: 'silent' }),
  });
  expect(list).toEqual([]);
}
