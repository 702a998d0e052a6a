import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { toKafkaAddress, toKafkaVariables } from '../../infra/local/kafka/kafka-access.ts';
import { startKafka } from '../../infra/local/kafka/start-kafka.ts';
import { startPostgres } from '../../infra/local/postgres/start-postgres.ts';
import { ensureTopics, topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { startSubscriber } from '../support/receivers/subscriber.ts';

const ACCOUNTS = 300;
const subscriber = await startSubscriber();
let product: StartedProduct | undefined;

afterAll(async () => {
  await product?.remove();
  await subscriber.close();
});

const annals = (line: string, { dataDir }: StartedProduct) =>
  runCli([...line.split(' '), '--data-dir', dataDir], { KAFKA_BROKERS: '', DATABASE_URL: '' });

const clientOf = ({ url, access }: StartedProduct): ApiClient =>
  createApiClient(url, withApiKey(access().apiKey));

async function createAccounts(
  api: ApiClient,
  count: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const skip = { 'X-Skip-Duplicate-Check': 'true', ...headers };
  const answers = await Promise.all(
    Array.from({ length: count }, () => api.post('/Account', anAccount(), skip)),
  );
  return answers.map((answer) => String(recordIn(answer).id));
}

/**
 * Reproduces an effect of a full disk: the metadata log is empty, and Kafka marks every partition that it
 * lacks as stray.
 */
async function loseMetadata(dataDir: string): Promise<void> {
  const kafkaDir = join(dataDir, 'kafka');
  const metadata = join(kafkaDir, 'data', '__cluster_metadata-0');
  const kept = ['00000000000000000000-0000000000.checkpoint', 'partition.metadata', 'quorum-state'];
  for (const name of readdirSync(metadata).filter((each) => !kept.includes(each))) {
    rmSync(join(metadata, name));
  }
  const kafka = await startKafka({ dataDir: kafkaDir });
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres') });
  const accepted = await runCli(['topics', 'accept', '--yes', '--data-dir', dataDir], {
    ...toKafkaVariables(kafka.access),
    DATABASE_URL: postgres.url,
  });
  expect(accepted.code).toBe(1);
  expect(accepted.stderr).toContain(
    'To restore them, stop npm start, then run annals topics recover',
  );
  await postgres.stop();
  // As versions did that had no log marks.
  const address = toKafkaAddress(kafka.access, 'test');
  const log = pino({ level: 'silent' });
  await ensureTopics(address, topicNames('annals'), { recordPartitions: 4 }, log);
  await kafka.stop();
}

const strayIn = (dataDir: string): readonly string[] =>
  readdirSync(join(dataDir, 'kafka', 'data')).filter((name) => name.endsWith('-stray'));

it('topics recover restores stray partitions without losing data or sending events again', async () => {
  product = await startProduct({
    infrastructure: 'own',
    env: { WEBHOOK_ALLOWED_ADDRESSES: subscriber.address, WEBHOOK_QUEUE_INTERVAL: '0' },
  });
  const { dataDir } = product;
  let api = clientOf(product);
  await registerWebhook(api, { event: 'Account.create', url: subscriber.url('/made') });
  const before = await createAccounts(api, ACCOUNTS);
  await eventually(() => expect(subscriber.events('/made')).toHaveLength(ACCOUNTS), {
    timeoutMs: 60_000,
  });
  const refused = await annals('topics recover --yes', product);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain(`Annals is already running on ${dataDir}`);
  // Only the log has these changes, so rebuild-log could not restore them.
  product.kill('projector', 'SIGSTOP');
  const unprojected = await createAccounts(api, 10, { Prefer: 'respond-async' });
  api.close();
  await product.stop();
  expect((await annals('topics recover --yes', product)).stdout).toMatch(/^No stray partitions in/);

  await loseMetadata(dataDir);
  const stray = strayIn(dataDir);
  expect(stray.filter((name) => name.startsWith('annals.records-'))).toHaveLength(4);
  expect((await annals('doctor', product)).stdout).toContain('that Kafka set aside as stray');
  const planned = await annals('topics recover --dry-run --json', product);
  expect(JSON.parse(planned.stdout)).toMatchObject({ recovered: false });
  expect(await annals('topics recover', product)).toMatchObject({ code: 2 });
  expect(strayIn(dataDir)).toEqual(stray);
  const { code, stdout } = await annals('topics recover --yes', product);
  expect([code, strayIn(dataDir)]).toEqual([0, []]);
  expect(stdout).toContain('Now run npm start, then annals verify.');

  product = await product.startAgain();
  api = clientOf(product);
  const after = await createAccounts(api, 10);
  const all = [...before, ...unprojected, ...after];
  for (const id of all) {
    expect((await api.get(`/Account/${id}`)).status).toBe(200);
  }
  await eventually(() => expect(subscriber.events('/made').length).toBe(all.length));
  for (const check of ['verify', 'verify --webhooks', 'topics check']) {
    expect(await annals(check, product), check).toMatchObject({ code: 0 });
  }
  api.close();
}, 480_000);
