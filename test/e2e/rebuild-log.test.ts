import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { startSubscriber } from '../support/receivers/subscriber.ts';

const ACCOUNTS = 60;
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

async function createAccounts(api: ApiClient, count: number): Promise<readonly string[]> {
  const skip = { 'X-Skip-Duplicate-Check': 'true' };
  const answers = await Promise.all(
    Array.from({ length: count }, () => api.post('/Account', anAccount(), skip)),
  );
  return answers.map((answer) => String(recordIn(answer).id));
}

it('writes the log anew from Postgres, and goes on as if Kafka had never been lost', async () => {
  product = await startProduct({
    infrastructure: 'own',
    env: { WEBHOOK_ALLOWED_ADDRESSES: subscriber.address, WEBHOOK_QUEUE_INTERVAL: '0' },
  });
  let api = clientOf(product);
  await registerWebhook(api, { event: 'Account.create', url: subscriber.url('/made') });
  const before = await createAccounts(api, ACCOUNTS);
  const [changed = '', removed = ''] = before;
  await api.put(`/Account/${changed}`, { name: 'Changed' });
  await api.delete(`/Account/${removed}`);
  await eventually(() => expect(subscriber.events('/made')).toHaveLength(ACCOUNTS), {
    timeoutMs: 60_000,
  });
  const bodies = await Promise.all(
    before.map(async (id) => (await api.get(`/Account/${id}`)).body),
  );
  expect(await annals('rebuild-log --yes', product)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The log is not lost'),
  });
  api.close();
  await product.stop();
  rmSync(join(product.dataDir, 'kafka'), { recursive: true });

  const planned = await annals('rebuild-log --dry-run --json', product);
  expect(planned).toMatchObject({ code: 0 });
  const rebuilt = await annals('rebuild-log --yes --json', product);
  expect(rebuilt, rebuilt.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(rebuilt.stdout)).toMatchObject({
    rebuilt: true,
    generation: 2,
    verified: { differences: 0 },
    webhooks: { waiting: 0 },
  });

  product = await product.startAgain();
  api = clientOf(product);
  for (const [index, id] of before.entries())
    expect((await api.get(`/Account/${id}`)).body).toEqual(bodies[index]);
  const after = await createAccounts(api, 10);
  await eventually(() => expect(subscriber.events('/made').length).toBe(ACCOUNTS + after.length));
  for (const check of ['verify', 'verify --webhooks', 'topics check']) {
    const { code, stdout, stderr } = await annals(check, product);
    expect(code, `${check}: ${stdout}${stderr}`).toBe(0);
  }
  api.close();
}, 240_000);
