import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { Queue, type QueueCounts } from '../../services/dispatcher/window/queue.ts';
import {
  type DirectoryFollower,
  followDirectory,
} from '../../shared/directory/directory-follower.ts';
import { settingType } from '../../shared/domain/directory/directory.ts';
import { queueRunId } from '../../shared/domain/directory/queue-run.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import { switchActivity } from '../../shared/domain/webhook/record/webhook.ts';
import { decodeWebhookBatch, type WebhookBatch } from '../../shared/events/webhook-batch-codec.ts';
import { createAppendMessages } from '../../shared/kafka/append.ts';
import { createKafkaConnection, type KafkaConnection } from '../../shared/kafka/connection.ts';
import { ensureTopics, topicNames } from '../../shared/kafka/topics.ts';
import {
  createTransactor,
  TransactionSuperseded,
  type Transactor,
} from '../../shared/kafka/transactor.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { dispatcherContext } from '../support/builders/dispatcher-context.ts';
import { aCreation } from '../support/builders/record-event-builder.ts';
import { eventually } from '../support/eventually.ts';
import { appendAsAnotherWriter } from '../support/log/append-as-another-writer.ts';
import { createLogReader, type LogReader } from '../support/log/log-reader.ts';
import { createLogScript, type LogScript } from '../support/log/log-script.ts';

const log = pino({ level: 'silent' });
const access = inject('kafka');
const kafka = toKafkaAddress(access, 'queue-test');

let connection: KafkaConnection;
let reader: LogReader;
let topicPrefix: string;
let topics: ReturnType<typeof topicNames>;
let follower: DirectoryFollower;
let records: LogScript;
const started: Queue[] = [];

beforeAll(() => {
  connection = createKafkaConnection(kafka, log);
  reader = createLogReader(access);
});

afterAll(async () => {
  await Promise.all([connection.close(), reader.close()]);
});

beforeEach(async () => {
  topicPrefix = `test-${randomUUID()}`;
  topics = topicNames(topicPrefix);
  await ensureTopics(kafka, topics, { recordPartitions: 1 }, log);
  const webhook = aCreation('Webhook', {
    event: 'Account.create',
    entityType: 'Account',
    type: 'create',
    url: 'https://example.org',
    isActive: true,
    activity: switchActivity(null, true, [0n]),
  });
  await appendAsAnotherWriter(access, { topic: topics.directory }, [webhook]);
  follower = followDirectory(kafka, topics.directory, log);
  records = createLogScript({
    append: createAppendMessages(connection),
    topic: topics.records,
    partition: 0,
  });
  await records.fence();
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((queue) => queue.close()));
  await follower.close();
});

type Commit = Transactor['commit'];

interface QueueOptions {
  readonly intervalMs: number;
  readonly wrap?: (commit: Commit) => Commit;
}

function start({ intervalMs, wrap = (commit) => commit }: QueueOptions) {
  const counts: QueueCounts = { runs: 0, matched: 0, events: 0, batches: 0 };
  const transactor = createTransactor(
    kafka,
    { transactionalId: `${topicPrefix}.queue`, positionsGroup: `${topicPrefix}.queue` },
    log,
  );
  const context = dispatcherContext({
    kafka,
    topics,
    follower,
    config: { queue: { intervalMs, eventPortionSize: 0, batchSize: 50 } },
    untilRoom: async () => undefined,
    clock: systemClock,
    log,
  });
  const wrapped = { ...transactor, commit: wrap(transactor.commit) };
  const onRun = () => undefined;
  const queue = new Queue(context, wrapped, { counts, onRun, onSuperseded: () => undefined });
  started.push(queue);
  return { queue, counts };
}

/** Appends creations as one batch of the log that is larger than what one round of the queue reads. */
async function createAccounts(count: number): Promise<void> {
  const description = 'x'.repeat(2_000);
  const events = Array.from({ length: count }, () =>
    aCreation('Account', { name: 'Acme', description }),
  );
  await records.events(...events);
}

async function requestRun(): Promise<void> {
  const run = aCreation(settingType, {}, { recordId: queueRunId });
  await appendAsAnotherWriter(access, { topic: topics.directory }, [run]);
}

async function batches(): Promise<readonly WebhookBatch[]> {
  const messages = (await reader.messages(topics.webhookBatches)).flat();
  return messages.map(({ value }) => decodeWebhookBatch(value));
}

const eventIds = async () =>
  (await batches()).flatMap(({ events }) => events.map(({ eventId }) => eventId));

describe('a requested run', () => {
  it.each([
    ['an error', new Unavailable('no coordinator')],
    ['the end of its process', new TransactionSuperseded('killed')],
  ])('is completed despite %s', async (_, interruption) => {
    let commits = 0;
    const first = start({
      intervalMs: 60_000,
      wrap:
        (commit) =>
        async (...content) => {
          commits += 1;
          if (commits === 3) throw interruption;
          await commit(...content);
        },
    });
    // The very first run is due immediately, and finds only the fence.
    await eventually(() => expect(commits).toBe(1));
    for (let round = 0; round < 3; round += 1) await createAccounts(150);
    await requestRun();
    await eventually(() => expect(commits).toBeGreaterThan(2));
    expect(first.counts.events).toBe(150);

    if (interruption instanceof TransactionSuperseded) start({ intervalMs: 60_000 });
    await eventually(async () => expect(await eventIds()).toHaveLength(450));
    expect(new Set(await eventIds()).size).toBe(450);
  });
});

describe('the interval between two runs', () => {
  it('starts at the last run even if another process takes over', async () => {
    await createAccounts(1);
    const { queue, counts } = start({ intervalMs: 3_000 });
    await eventually(() => expect(counts.events).toBe(1));
    await createAccounts(1);
    await sleep(1_500);
    await queue.close();
    start({ intervalMs: 3_000 });
    await eventually(async () => expect(await batches()).toHaveLength(2));

    const [one, other] = await batches();
    const pauseMs = (other?.enqueuedAt ?? 0) - (one?.enqueuedAt ?? 0);
    // Timers may fire a millisecond early.
    expect(pauseMs).toBeGreaterThan(2_990);
    expect(pauseMs).toBeLessThan(4_200);
  });
});
