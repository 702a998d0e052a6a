import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { toKafkaVariables } from '../../infra/local/kafka/kafka-access.ts';
import { choosePorts } from '../../infra/local/processes/free-port.ts';
import type { AccessFile } from '../../infra/local/supervisor/access-file.ts';
import { baselineVersions, readVersions } from '../../shared/events/schema-versions.ts';
import { loadSchema } from '../../shared/events/single-object.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { makeLaterBuild } from '../support/harness/later-build.ts';
import { type StartedProduct, startProduct, startWaiting } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/harness/test-database.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';
import { createLogReader } from '../support/log/log-reader.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';
import { scrape } from '../support/scrape.ts';

const AGREED = 'agreed on versions to write';
/** The version of record events that only the later build reads. */
const LATER = readVersions['record-event'] + 1;
const SENTENCE = 'a later version of Annals has written to this log';
const prefix = `test-${randomBytes(4).toString('hex')}`;
const topics = topicNames(prefix);
const patience = { timeoutMs: 40_000 };
const place = makeTestDirectory();
const dataDir = join(place, 'data');
const laterDir = join(place, 'later-data');

let subscriber: Subscriber;
let database: TestDatabase;
let env: NodeJS.ProcessEnv;
let laterRoot: string;
let own: StartedProduct;
let later: StartedProduct;
let apiKey: AccessFile['apiKey'];
let api: ApiClient;
let laterApi: ApiClient;
/** Names of accounts by id; each account has one event of the webhook. */
const made = new Map<string, string>();

beforeAll(async () => {
  subscriber = await startSubscriber();
  database = await createTestDatabase(inject('databaseUrl'));
  env = {
    DATABASE_URL: database.url,
    ANNALS_TOPIC_PREFIX: prefix,
    ANNALS_WRITE_TIMEOUT: '3s',
    WEBHOOK_QUEUE_INTERVAL: '1s',
    // With a limit, one dispatcher would own all deliveries.
    WEBHOOK_QUEUE_PORTION_SIZE: '0',
    WEBHOOK_FAIL_ATTEMPT_PERIOD: '5s',
    WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
  };
  own = await startProduct({ env, dataDir });
  ({ apiKey } = own.access());
  const login = withApiKey(apiKey);
  api = createApiClient(own.url, login);
  await registerWebhook(api, { event: 'Account.create', url: subscriber.url('/made') });
  for (const file of ['secret.key', 'seed.json']) {
    cpSync(join(dataDir, file), join(laterDir, file), { recursive: true });
  }
  laterRoot = makeLaterBuild(place);
  later = await startProduct({ env, dataDir: laterDir, root: laterRoot });
  laterApi = createApiClient(later.url, login);
});

afterAll(async () => {
  api?.close();
  laterApi?.close();
  for (const product of [own, later]) await product?.remove();
  await database?.drop();
  await subscriber?.close();
  rmSync(place, { recursive: true, force: true });
});

async function create(through: ApiClient, count: number): Promise<void> {
  for (let each = 0; each < count; each += 1) {
    const name = unique('Account');
    made.set(recordIn(await through.post('/Account', { name })).id, name);
  }
}

/** Verifies that each account is readable as created, and that its event was sent once. */
async function proveAll(through: ApiClient): Promise<void> {
  for (const [id, name] of made) {
    expect(recordIn(await through.get(`/Account/${id}`))).toMatchObject({ name });
  }
  await eventually(() => {
    const ids = subscriber.events('/made').map((event) => event['id']);
    expect(ids.toSorted()).toEqual([...made.keys()].toSorted());
  }, patience);
}

/** Returns the versions of record events that the product's api agreed to write. */
const agreedBy = (product: StartedProduct): readonly number[] =>
  logOf(product, 'api')
    .split('\n')
    .filter((line) => line.includes(AGREED))
    .map((line) => JSON.parse(line).versions['record-event']);

const logOf = ({ dataDir: directory }: StartedProduct, service: string): string =>
  readFileSync(join(directory, 'logs', `${service}.log`), 'utf8');

/** Returns the numbers of shared resources that the product's api, dispatcher and projector own. */
async function sharesOf(product: StartedProduct): Promise<readonly number[]> {
  const metrics = await scrape(product.internalUrl('projector'));
  return [
    ...['api', 'dispatcher'].map((service) => {
      const lines = logOf(product, service).split('\n');
      const line = lines.findLast((one) => one.includes('"msg":"assigned"')) ?? '{"mine":[]}';
      return JSON.parse(line).mine.length;
    }),
    metrics.sum('annals_projector_assigned_partitions'),
  ];
}

/** Returns the schema headers of the messages in a topic. */
async function schemasIn(topic: string): Promise<ReadonlySet<string>> {
  const log = createLogReader(inject('kafka'));
  const messages = (await log.messages(topic)).flat();
  await log.close();
  return new Set(messages.map(({ value }) => (value ?? Buffer.alloc(0)).toString('hex', 0, 10)));
}

const headerOf = (name: string, version: number): string =>
  loadSchema(`${name}.v${version}`).header.toString('hex');
/**
 * Schemas of this build: it writes `untoldVersions` until the members of all groups have agreed on
 * `readVersions`.
 */
const known = new Set(
  [baselineVersions, readVersions].flatMap((versions) => [
    headerOf('fence', versions.fence),
    headerOf('record-event', versions['record-event']),
    headerOf('webhook-batch', versions['webhook-batch']),
  ]),
);
const unknownIn = async (topic: string) =>
  [...(await schemasIn(topic))].filter((each) => !known.has(each));

it('this and a later version run together with formats that both can read', async () => {
  for (let round = 0; round < 5; round += 1) {
    await create(api, 5);
    await create(laterApi, 5);
  }
  await proveAll(api);
  await proveAll(laterApi);
  expect(await unknownIn(topics.records)).toEqual([]);
  expect(await unknownIn(topics.webhookBatches)).toEqual([]);
  for (const product of [own, later]) {
    await eventually(async () => expect(await sharesOf(product)).not.toContain(0), patience);
  }
  expect(agreedBy(later)).not.toContain(LATER);
});

it('the later version writes its own formats once all running processes can read them', async () => {
  await own.stop();
  await eventually(async () => {
    await create(laterApi, 1);
    expect(await unknownIn(topics.records)).toHaveLength(1);
    expect(await unknownIn(topics.webhookBatches)).toHaveLength(1);
  }, patience);
  await proveAll(laterApi);
  expect(agreedBy(later)).toContain(LATER);
});

it('this version stops before entries of a later version, and the later version resumes without loss', async () => {
  const before = made.size;
  subscriber.answer('/made', 503);
  await create(laterApi, 8);
  const refused = [...made.keys()].slice(before);
  // The batches of these events wait for another attempt when the later version stops.
  await eventually(() => expect(idsSince(0)).toEqual(expect.arrayContaining(refused)), patience);
  // Later events are not even matched when the later version stops.
  later.kill('dispatcher', 'SIGSTOP');
  await create(laterApi, 3);
  const stopped = later.stop();
  later.kill('dispatcher');
  await stopped;
  const requests = subscriber.requests('/made').length;

  const { port } = await choosePorts(['port'], {});
  const back = await startWaiting({
    ...toKafkaVariables(inject('kafka')),
    ...env,
    PORT: `${port}`,
    HOST: '127.0.0.1',
    ANNALS_DATA_DIR: dataDir,
  });
  await eventually(async () => {
    expect(back.output()).toContain(SENTENCE);
    const { dispatcherHealth } = JSON.parse(readFileSync(join(dataDir, 'ports.json'), 'utf8'));
    const { status, body } = await readiness(`http://127.0.0.1:${dispatcherHealth}`);
    expect(status).toBe(503);
    expect(body).toMatchObject({ checks: { kafka: true, queue: false, delivery: false } });
  }, patience);
  const reader = createApiClient(`http://127.0.0.1:${port}`, withApiKey(apiKey));
  const [someId = '', someName] = [...made].at(-1) ?? [];
  await eventually(async () => {
    expect(recordIn(await reader.get(`/Account/${someId}`))).toMatchObject({ name: someName });
  }, patience);
  reader.close();
  expect(back.output()).not.toContain('Annals is ready');
  expect(subscriber.requests('/made')).toHaveLength(requests);
  await back.stop();

  subscriber.answer('/made', 200);
  later = await later.startAgain();
  laterApi.close();
  laterApi = createApiClient(later.url, withApiKey(apiKey));
  await create(laterApi, 2);
  const missing = [...made.keys()].slice(before);
  await eventually(
    () => expect(idsSince(requests)).toEqual(expect.arrayContaining(missing)),
    patience,
  );
  for (const [id, name] of made) {
    expect(recordIn(await laterApi.get(`/Account/${id}`))).toMatchObject({ name });
  }
  for (const line of [['verify'], ['verify', '--webhooks']]) {
    const { code, stdout, stderr } = await runCli(
      [...line, '--data-dir', laterDir],
      env,
      laterRoot,
    );
    expect({ line, code, stdout, stderr }).toMatchObject({ code: 0 });
  }
  const letters = await runCli(
    ['dead-letters', 'list', '--data-dir', laterDir, '--json'],
    env,
    laterRoot,
  );
  expect(JSON.parse(letters.stdout)).toEqual({ list: [], unreadable: 0 });
}, 300_000);

async function readiness(url: string) {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, body: await answer.json() };
}

/** Returns the ids of records sent since a request. */
function idsSince(request: number): readonly unknown[] {
  const sent = subscriber.requests('/made').slice(request);
  return sent.flatMap(({ body }) => JSON.parse(`${body}`).map(({ id }: { id: string }) => id));
}
