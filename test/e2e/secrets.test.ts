import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/ask-database.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { withApiKey, withHmacHex, withHmacRaw, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { createLogReader, type LogReader } from '../support/log-reader.ts';
import { type StartedProduct, startProduct } from '../support/product.ts';
import { anAccount } from '../support/record-builders.ts';
import { registerWebhook } from '../support/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../support/subscriber.ts';

const topicPrefix = `secrets-${process.pid}`;
const guesses = { password: 'a-password-that-was-guessed', apiKey: 'an-api-key-that-was-guessed' };

let product: StartedProduct;
let api: ApiClient;
let log: LogReader;
let subscriber: Subscriber;
let secrets: readonly string[];

beforeAll(async () => {
  subscriber = await startSubscriber();
  product = await startProduct({
    env: {
      ANNALS_TOPIC_PREFIX: topicPrefix,
      LOG_LEVEL: 'trace',
      WEBHOOK_QUEUE_INTERVAL: '1s',
      WEBHOOK_FAIL_ATTEMPT_PERIOD: '1s',
      WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
    },
  });
  const { admin, user, apiKey, hmac, kafka } = product.access();
  log = createLogReader(kafka.brokers);
  api = createApiClient(product.url, withApiKey(apiKey));
  const url = subscriber.url('/secret');
  subscriber.answer('/secret', 500);
  const webhook = await registerWebhook(api, { event: 'Account.create', url });
  const masterKey = readFileSync(join(product.dataDir, 'secret.key'), 'utf8').trim();
  secrets = [
    ...[admin.password, user.password, apiKey.apiKey, hmac.apiKey, hmac.secretKey],
    ...[webhook.secretKey, masterKey, guesses.password, guesses.apiKey],
  ];
  await useEveryCredential();
  await eventually(() => expect(subscriber.requests('/secret').length).toBeGreaterThan(1));
});

afterAll(async () => {
  await log?.close();
  api?.close();
  await product?.remove();
  await subscriber?.close();
});

/** Successful and failing uses of each kind: what is logged or stored about them is looked through afterwards. */
async function useEveryCredential(): Promise<void> {
  const { admin, user, apiKey, hmac } = product.access();
  const known = [withApiKey(apiKey), withHmacHex(hmac), withHmacRaw(hmac), withPassword(admin)];
  for (const credentials of known) {
    const own = api.as(credentials);
    recordIn(await own.post('/Account', anAccount()));
    await own.put('/Account/%zz', { name: '' });
    await own.post('/Account', { name: '', apiKey: hmac.apiKey });
    await own.get('/User');
  }
  await api.as(withPassword({ ...user, password: guesses.password })).get('/Account');
  await api.as(withApiKey({ apiKey: guesses.apiKey })).get('/Account');
  await api.as(withHmacHex({ apiKey: guesses.apiKey, secretKey: 'x' })).get('/Account');
}

/** Which secrets stand in the text, by their place in the list, so that a failure does not print them. */
const secretsIn = (text: string) =>
  secrets.flatMap((secret, index) => (text.includes(secret) ? [index] : []));

describe('no secret stands in clear', () => {
  it('in any topic of Kafka', async () => {
    const { directory, records, webhookRetries, ...others } = topicNames(topicPrefix);
    for (const topic of [directory, records, ...webhookRetries, ...Object.values(others)]) {
      const messages = (await log.messages(topic)).flat();
      const text = messages.map(({ value }) => value?.toString('latin1') ?? '').join('\n');

      expect({ topic, secrets: secretsIn(text) }).toEqual({ topic, secrets: [] });
    }
  });

  it('in any table of Postgres', async () => {
    await withClient(product.access().postgres.url, async (client) => {
      const { rows: tables } = await client.query<{ name: string }>(
        `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
         where table_schema = 'annals'`,
      );
      expect(tables.length).toBeGreaterThan(8);
      for (const { name } of tables) {
        const { rows } = await client.query<{ row: string }>(
          `select to_jsonb(one)::text as row from ${name} one`,
        );
        expect({ name, secrets: secretsIn(rows.map(({ row }) => row).join('\n')) }).toEqual({
          name,
          secrets: [],
        });
      }
      const { rows: history } = await client.query<{ event: Buffer }>(
        'select event from annals.record_history',
      );
      expect(history.length).toBeGreaterThan(8);
      expect(history.flatMap(({ event }) => secretsIn(event.toString('latin1')))).toEqual([]);
    });
  });

  it('in any log of the services, at the most talkative level', () => {
    const directory = join(product.dataDir, 'logs');
    const logs = readdirSync(directory).map((file) => ({
      file,
      text: readFileSync(join(directory, file), 'utf8'),
    }));

    expect(Math.max(...logs.map(({ text }) => text.length))).toBeGreaterThan(1_000);
    for (const { file, text } of logs) {
      expect({ file, secrets: secretsIn(text) }).toEqual({ file, secrets: [] });
    }
  });
});
