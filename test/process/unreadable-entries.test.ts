import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toKafkaAddress, toKafkaVariables } from '../../infra/local/kafka/kafka-access.ts';
import type { Finding } from '../../services/system/doctor/finding.ts';
import { createAppendMessages } from '../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { deliveredTopics, topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import {
  unreadableAttempts,
  unreadableBatches,
  unreadableChunks,
  unreadableEvents,
} from '../support/builders/unreadable-messages.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { codesOf } from '../support/log/test-codes.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';

const topicPrefix = `unreadable-${process.pid}`;
const topics = topicNames(topicPrefix);
const patience = { timeoutMs: 40_000, intervalMs: 100 };

let product: StartedProduct;
let api: ApiClient;
let subscriber: Subscriber;
let processes: Readonly<Record<string, number | null>>;

/** Appends to all topics of Annals, with readable entries before and after. */
async function writeUnreadable(): Promise<void> {
  const address = toKafkaAddress(product.access().kafka, 'unreadable-test');
  const kafka = createKafkaConnection(address, pino({ level: 'silent' }));
  const append = createAppendMessages(kafka);
  // With valid codes, as written by a process with a defect.
  const codes = codesOf(product);
  const written = [
    [topics.directory, unreadableEvents],
    [topics.records, unreadableEvents],
    [topics.files, unreadableChunks],
    [topics.webhookAttempts, unreadableAttempts],
    ...[...deliveredTopics(topics), topics.webhookDeadLetters].map(
      (topic) => [topic, unreadableBatches] as const,
    ),
  ] as const;
  for (const [topic, messages] of written) {
    const partitions = await kafka.partitionsOf(topic);
    for (let partition = 0; partition < partitions; partition += 1) {
      const place = { topic, partition };
      const coded = messages.map(({ bytes: value }) => ({
        key: 'unreadable',
        value,
        headers: codes.headersOf(place, { value }),
      }));
      await append(topic, partition, coded);
    }
  }
  await kafka.close();
}

async function annals(...args: readonly string[]) {
  const { code, stdout, stderr } = await runCli([...args, '--data-dir', product.dataDir], {
    ANNALS_TOPIC_PREFIX: topicPrefix,
    ...toKafkaVariables(product.access().kafka),
    DATABASE_URL: product.access().postgres.url,
  });
  expect(code, stderr + stdout).toBe(0);
  return stdout;
}

beforeAll(async () => {
  subscriber = await startSubscriber();
  product = await startProduct({
    env: {
      ANNALS_TOPIC_PREFIX: topicPrefix,
      WEBHOOK_QUEUE_INTERVAL: '0',
      WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
    },
  });
  processes = product.access().processes;
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  await api.post('/Account', anAccount());
  await writeUnreadable();
});

afterAll(async () => {
  api?.close();
  await product?.remove();
  await subscriber?.close();
});

it('unreadable entries are skipped by every service', async () => {
  const { id } = await registerWebhook(api, {
    event: 'Account.create',
    url: subscriber.url('/new'),
  });
  for (let count = 1; count <= 8; count += 1) {
    expect((await api.post('/Account', anAccount())).status).toBe(200);
  }
  await eventually(() => expect(subscriber.events('/new')).toHaveLength(8), patience);
  const range = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  const replay = recordIn(await api.post(`/Webhook/${id}/replay`, range));
  await eventually(() => expect(subscriber.events('/new')).toHaveLength(8 + 9), patience);
  await eventually(async () => {
    const { body } = await api.get(`/Webhook/${id}/replays/${replay.id}`);
    expect(body).toMatchObject({ state: 'done', events: 9 });
    const { list } = listIn(await api.get(`/Webhook/${id}/deliveries?state=delivered`));
    expect(list.length).toBeGreaterThan(1);
  }, patience);
  const admin = createApiClient(product.url, withPassword(product.access().admin));
  const upload = {
    name: 'a.txt',
    type: 'text/plain',
    role: 'Attachment',
    relatedType: 'Note',
    field: 'attachments',
  };
  const file = `data:text/plain;base64,${Buffer.from('content').toString('base64')}`;
  const attachment = recordIn(await admin.post('/Attachment', { ...upload, file }));
  expect((await admin.get(`/Attachment/file/${attachment.id}`)).text).toBe('content');
  admin.close();
  expect(product.access().processes).toEqual(processes);
});

it('unreadable entries are listed for operators and break no command', async () => {
  const { list } = JSON.parse(await annals('rejected', 'list', '--json'));
  const inDirectory = list.filter(({ topic }: { topic: string }) => topic === topics.directory);
  expect(inDirectory.map(({ reason }: { reason: string }) => reason)).toEqual(
    unreadableEvents.map(({ reason }) => reason),
  );
  const partitions = new Set(
    list.flatMap(({ topic, partition }: { topic: string; partition: number }) =>
      topic === topics.records ? [partition] : [],
    ),
  );
  expect(list).toHaveLength(unreadableEvents.length * (1 + partitions.size));
  const shown = JSON.parse(await annals('rejected', 'show', inDirectory[0].id, '--json'));
  expect(shown.list).toMatchObject([{ kind: 'unreadable', hex: expect.any(String) }]);

  expect(JSON.parse(await annals('verify', '--json'))).toMatchObject({ differences: 0 });
  await annals('verify', '--webhooks', '--json');
  const tail = await annals('tail', '--no-follow', '--json', '--entity', 'Account');
  expect(tail.trim().split('\n')).toHaveLength(9);
  await annals('dead-letters', 'list', '--json');
  const { rejected } = JSON.parse(await annals('status', '--json'));
  expect(rejected).not.toEqual([]);
  await annals('rebuild', '--json');
  expect(JSON.parse(await annals('verify', '--json'))).toMatchObject({ differences: 0 });
  expect(product.access().processes).toEqual(processes);
});

it('unreadable entries are listed by the API only for administrators', async () => {
  const admin = api.as(withPassword(product.access().admin));
  const { list } = JSON.parse(await annals('rejected', 'list', '--json'));
  expect((await admin.get('/System/rejectedEntries')).body).toEqual({ total: list.length, list });
  const inDirectory = list.find(({ topic }: { topic: string }) => topic === topics.directory);
  const { body: shown } = await admin.get(`/System/rejectedEntries/${inDirectory.id}`);
  expect(shown).toMatchObject({ ...inDirectory, kind: 'unreadable', hex: expect.any(String) });
  expect((await admin.get(`/System/rejectedEntries/${topics.records}/0/999999`)).status).toBe(404);

  const status = Object((await admin.get('/System/status')).body);
  const commandStatus = JSON.parse(await annals('status', '--json'));
  expect(Object.keys(status)).toEqual(Object.keys(commandStatus));
  expect(status.rejected).toEqual(commandStatus.rejected);
  const { findings } = Object((await admin.get('/System/doctor')).body);
  const faults = findings.filter(({ verdict }: Finding) => verdict === 'fault');
  expect(faults).toMatchObject([{ says: expect.stringContaining('rejected entries: ') }]);

  for (const path of ['status', 'doctor', 'rejectedEntries', 'events']) {
    const { status: code, body } = await api.get(`/System/${path}`);
    expect({ path, code, body }).toMatchObject({ code: 403, body: { code: 'access.admin_only' } });
  }
});

it('unreadable entries do not block live events', async () => {
  const admin = api.as(withPassword(product.access().admin));
  const second = { userName: 'watcher', lastName: 'W', type: 'admin', password: 'over-the-wall-1' };
  const { id: userId } = recordIn(await admin.post('/User', second));
  const basic = Buffer.from(`watcher:${second.password}`).toString('base64');
  const address = `${product.url}/api/v1/System/events?entityType=Account&type=updated`;
  const answer = await fetch(address, { headers: { authorization: `Basic ${basic}` } });
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  let received = '';
  const ended = (async () => {
    for await (const part of answer.body ?? []) received += Buffer.from(part).toString();
  })();

  const { id } = recordIn(await api.post('/Account', { name: 'Before' }));
  await api.put(`/Account/${id}`, { name: 'After' });
  await eventually(async () => expect(received).toContain('data: '), patience);
  const data = received.split('\n').find((line) => line.startsWith('data: ')) ?? '';
  const { apiKey } = product.access();
  expect(JSON.parse(data.slice('data: '.length))).toMatchObject({
    entityType: 'Account',
    id,
    type: 'updated',
    byName: apiKey.userName,
    changes: [{ attribute: 'name', after: 'After' }],
  });
  expect(received).not.toContain('"created"');

  await admin.put(`/User/${userId}`, { isActive: false });
  await ended;
});
