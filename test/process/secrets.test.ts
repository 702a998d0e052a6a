import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { createKafkajsClient } from '../../shared/kafka/connection.ts';
import type { ReadMessage } from '../../shared/kafka/read-partitions.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import {
  type ApiAnswer,
  type ApiClient,
  createApiClient,
  recordIn,
} from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey, withHmacHex, withHmacRaw, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { createLogReader, type LogReader } from '../support/log/log-reader.ts';
import { plantSecrets } from '../support/proofs/plant-secrets.ts';
import { readTableTexts } from '../support/proofs/read-table-texts.ts';
import { createSecretSearch, type SecretSearch } from '../support/proofs/secret-search.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';
import { scrape } from '../support/scrape.ts';

const topicPrefix = `secrets-${process.pid}`;
const services = ['api', 'projector', 'dispatcher'] as const;
const patience = { timeoutMs: 60_000 };
const guesses = { password: 'a-password-that-was-guessed', apiKey: 'an-api-key-that-was-guessed' };

let product: StartedProduct;
let api: ApiClient;
let log: LogReader;
let subscriber: Subscriber;
let secretsIn: SecretSearch;
/** Responses to invalid requests, and to requests during outages. */
const refusals: ApiAnswer[] = [];

beforeAll(async () => {
  subscriber = await startSubscriber();
  product = await startProduct({
    // Its own infrastructure, because both are killed: connection errors contain connection settings.
    infrastructure: 'own',
    env: {
      ANNALS_TOPIC_PREFIX: topicPrefix,
      LOG_LEVEL: 'trace',
      WEBHOOK_QUEUE_INTERVAL: '1s',
      WEBHOOK_FAIL_ATTEMPT_PERIOD: '1s',
      WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
    },
  });
  const { admin, user, apiKey, hmac, kafka, postgres } = product.access();
  log = createLogReader(kafka);
  api = createApiClient(product.url, withApiKey(apiKey));
  const url = subscriber.url('/secret');
  subscriber.answer('/secret', 500);
  const webhook = await registerWebhook(api, { event: 'Account.create', url });
  const masterKey = readFileSync(join(product.dataDir, 'secret.key'), 'utf8').trim();
  const planted = await plantSecrets(api.as(withPassword(admin)), subscriber.url('/planted'));
  refusals.push(...planted.refusals);
  const secrets = [
    ...[admin.password, user.password, apiKey.apiKey, hmac.apiKey, hmac.secretKey],
    ...[webhook.secretKey, masterKey, guesses.password, guesses.apiKey],
    ...[new URL(postgres.url).password, createSecretBox(masterKey).internalToken()],
    ...[kafka.password ?? 'Kafka has one'],
    ...planted.secrets,
  ];
  expect(secrets.every((secret) => secret.length > 10)).toBe(true);
  secretsIn = createSecretSearch(secrets, [admin.userName, user.userName, hmac.apiKey, 'canary']);
  await useEveryCredential();
  for (const part of ['postgres', 'kafka']) await useWithout(part);
  await eventually(() => expect(subscriber.requests('/secret').length).toBeGreaterThan(1));
});

afterAll(async () => {
  await log?.close();
  api?.close();
  await product?.remove();
  await subscriber?.close();
});

/**
 * Uses each kind of credential successfully and unsuccessfully, so that logs and tables can be searched
 * afterwards.
 */
async function useEveryCredential(): Promise<void> {
  const { admin, user, apiKey, hmac } = product.access();
  const known = [withApiKey(apiKey), withHmacHex(hmac), withHmacRaw(hmac), withPassword(admin)];
  for (const credentials of known) {
    const own = api.as(credentials);
    recordIn(await own.post('/Account', anAccount()));
    refusals.push(
      await own.put('/Account/%zz', { name: '' }),
      await own.post('/Account', { name: '', apiKey: hmac.apiKey }),
      await own.get(`/Nowhere/${encodeURIComponent('?')}`),
    );
    await own.get('/User');
  }
  refusals.push(
    await api.as(withPassword({ ...user, password: guesses.password })).get('/Account'),
    await api.as(withApiKey({ apiKey: guesses.apiKey })).get('/Account'),
    await api.as(withHmacHex({ apiKey: guesses.apiKey, secretKey: 'x' })).get('/Account'),
  );
}

/** Reads and writes while a part is dead, until it is back. */
async function useWithout(part: string): Promise<void> {
  const { admin, hmac } = product.access();
  const killed = product.kill(part);
  const own = api.as(withPassword(admin));
  const written = api.as(withHmacHex(hmac)).post('/Account', anAccount());
  // For an instant the connections to the dead part still appear to be open.
  const isNoticed = () => part === 'kafka' || refusals.at(-1)?.status === 503;
  do refusals.push(await own.get('/Account'));
  while (!isNoticed() && product.access().processes[part] === killed);
  refusals.push(await written);
  await eventually(() => expect(product.access().processes[part]).not.toBe(killed), patience);
  for (const service of services) await product.waitUntilReady(service);
}

/** Lists all topics, including Kafka's own. */
async function listTopics(): Promise<readonly string[]> {
  const client = createKafkajsClient(
    toKafkaAddress(product.access().kafka, 'secrets-test'),
    pino({ level: 'silent' }),
  );
  const admin = client.admin();
  await admin.connect();
  const topics = await admin.listTopics();
  await admin.disconnect();
  return topics;
}

function toText({ key, value, headers = {} }: ReadMessage): string {
  const others = Object.entries(headers).map(([name, text]) => `${name}: ${text ?? ''}`);
  return [key ?? '', value?.toString('latin1') ?? '', ...others].join('\n');
}

describe('secrets in plain text', () => {
  it('do not appear in Kafka messages, keys or headers', async () => {
    const topics = await listTopics();
    const { directory, records, webhookAttempts } = topicNames(topicPrefix);
    expect(topics).toEqual(expect.arrayContaining([directory, records, webhookAttempts]));
    expect(topics).toContain('__consumer_offsets');
    for (const topic of topics) {
      const messages = (await log.messages(topic)).flat();
      const text = messages.map(toText).join('\n');

      expect({ topic, secrets: secretsIn(text) }).toEqual({ topic, secrets: [] });
    }
  });

  it('do not appear in Postgres tables, even as bytes', async () => {
    const tables = await withClient(product.access().postgres.url, readTableTexts);
    const filled = tables.filter(({ rows }) => rows > 0).map(({ name }) => name);
    expect(filled).toEqual(
      expect.arrayContaining([
        'annals.account',
        'annals.record_history',
        'annals_webhooks.attempts',
      ]),
    );
    expect(tables.map(({ name }) => name)).toContain('annals_files.chunks');
    for (const { name, text } of tables) {
      expect({ name, secrets: secretsIn(text) }).toEqual({ name, secrets: [] });
    }
  });

  it('do not appear in the service logs at level trace', () => {
    const directory = join(product.dataDir, 'logs');
    const logs = readdirSync(directory).map((file) => ({
      file,
      text: readFileSync(join(directory, file), 'utf8'),
    }));

    expect(logs.map(({ file }) => file)).toEqual(
      expect.arrayContaining(services.map((it) => `${it}.log`)),
    );
    expect(Math.max(...logs.map(({ text }) => text.length))).toBeGreaterThan(1_000);
    for (const { file, text } of logs) {
      expect({ file, secrets: secretsIn(text) }).toEqual({ file, secrets: [] });
    }
  });

  it('do not appear on any command line', () => {
    const { processes } = product.access();
    for (const [name, pid] of Object.entries(processes)) {
      const commandLine = execFileSync('ps', ['-ww', '-o', 'command=', '-p', `${pid}`]).toString();
      expect(commandLine.length).toBeGreaterThan(10);
      expect({ name, secrets: secretsIn(commandLine) }).toEqual({ name, secrets: [] });
    }
  });

  it('appear in webhook requests only in configured headers', async () => {
    const requests = await eventually(() => {
      const found = subscriber.allRequests();
      expect(found.map(({ path }) => path)).toEqual(
        expect.arrayContaining(['/secret', '/planted']),
      );
      return found;
    }, patience);
    for (const { path, headers, body } of requests) {
      const { authorization: own, ...others } = headers;
      expect(own === undefined).toBe(path === '/secret');
      expect(others['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-/);
      const text = `${JSON.stringify(others)}\n${body}`;
      expect({ path, secrets: secretsIn(text) }).toEqual({ path, secrets: [] });
    }
  });

  it('do not appear in any metric', async () => {
    const urls = services.map((service) => product.internalUrl(service));
    for (const url of urls) {
      const { text } = await scrape(url);
      expect(text).toContain('annals_ready');
      expect({ url, secrets: secretsIn(text) }).toEqual({ url, secrets: [] });
    }
  });

  it('do not appear in error responses, even during outages', () => {
    const statuses = new Set(refusals.map(({ status }) => status));
    expect([...statuses]).toEqual(expect.arrayContaining([400, 401, 403, 404, 503]));
    for (const { status, text, rawHeaders } of refusals) {
      const answer = [text, ...rawHeaders].join('\n');
      expect({ status, secrets: secretsIn(answer) }).toEqual({ status, secrets: [] });
    }
  });

  it('are detected in each of their encodings', () => {
    const { admin, hmac } = product.access();
    const basic = Buffer.from(`${admin.userName}:${admin.password}`).toString('base64');
    expect(secretsIn(`authorization: Basic ${basic}`)).toEqual([0]);
    expect(secretsIn(JSON.stringify({ secretKey: hmac.secretKey }))).toEqual([4]);
    expect(secretsIn(product.access().postgres.url)).toEqual([9]);
  });

  it('are detected within bytes and in unknown schemas', async () => {
    const { url } = product.access().postgres;
    const bytes = Buffer.from(`\0\xff${product.access().admin.password}\n`, 'latin1');
    const tables = await withClient(url, async (client) => {
      await client.query('create schema annals_canary create table "One" (id int, bytes bytea)');
      await client.query('insert into annals_canary."One" values (1, $1)', [bytes]);
      const found = await readTableTexts(client);
      await client.query('drop schema annals_canary cascade');
      return found;
    });
    const canary = tables.find(({ name }) => name === 'annals_canary."One"');
    expect(canary?.text).toContain(bytes.toString('latin1'));
    expect(secretsIn(canary?.text ?? '')).toEqual([0]);
  });
});
