import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { toObject } from '../../shared/domain/value/attribute-values.ts';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { deleteEntries } from '../support/log/delete-entries.ts';
import { proveWebhookLedgers } from '../support/proofs/prove-webhook-ledgers.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';

const prefix = `test-${randomBytes(4).toString('hex')}`;
const env = { ANNALS_TOPIC_PREFIX: prefix };
const patience = { timeoutMs: 60_000, intervalMs: 200 };
const skip = { 'X-Skip-Duplicate-Check': 'true' };
const PENDING = 40;
const PARTITION = 1;
let product: StartedProduct;
let api: ApiClient;

beforeAll(async () => {
  product = await startProduct({
    env: {
      ...env,
      WEBHOOK_QUEUE_INTERVAL: '1h',
      WEBHOOK_QUEUE_EVENT_PORTION_SIZE: '0',
      WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1:9',
    },
  });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  await registerWebhook(api, { event: 'Account.create', url: 'http://127.0.0.1:9/' });
});

afterAll(async () => {
  api?.close();
  await product?.remove();
});

async function annals(...line: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await runCli([...line, '--data-dir', product.dataDir], env);
  expect(code, `${line.join(' ')}: ${stdout}${stderr}`).toBe(0);
}

async function createAccounts(count: number): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: count }, () => api.post('/Account', anAccount(), skip)),
  );
  for (const { status, text } of answers) expect(status, text).toBe(200);
}

/** Creates accounts until it is stopped, which returns the ids of the acknowledged accounts. */
function startWriting() {
  const acknowledged: string[] = [];
  let isStopped = false;
  const writer = async () => {
    while (!isStopped) {
      const answer = await api.post('/Account', anAccount(), skip).catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(String(toObject(answer.body)['id']));
      else await sleep(50);
    }
  };
  const writers = [writer(), writer()];
  return {
    async stop() {
      isStopped = true;
      await Promise.all(writers);
      return acknowledged;
    },
  };
}

async function untilRefused(): Promise<void> {
  await eventually(async () => {
    expect((await api.post('/Account', anAccount())).status).toBe(503);
  }, patience);
}

it('changes before and after a rewritten partition are kept and enqueued once', async () => {
  const { stop } = startWriting();
  await createAccounts(PENDING);
  await annals('run-queue');
  await createAccounts(PENDING);
  const address = toKafkaAddress(product.access().kafka, 'test');
  await deleteEntries(address, `${prefix}.records`, { partitions: [PARTITION], share: 0.5 });
  await untilRefused();
  await annals('rebuild-log', '--replace', '--partition', String(PARTITION), '--yes');
  await eventually(() => createAccounts(PENDING), patience);
  for (const id of await stop()) expect((await api.get(`/Account/${id}`)).status, id).toBe(200);
  await eventually(() => annals('run-queue'), patience);
  await eventually(async () => {
    const { webhooks } = await proveWebhookLedgers({
      kafka: product.access().kafka,
      topicPrefix: prefix,
    });
    for (const { matched, enqueued } of webhooks) expect(enqueued).toBe(matched);
  }, patience);
}, 300_000);
