import { cpSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/product.ts';
import { anAccount } from '../support/record-builders.ts';
import { runCli } from '../support/run-cli.ts';
import { startSubscriber } from '../support/subscriber.ts';
import { makeTestDirectory } from '../support/test-infrastructure.ts';

const restored = makeTestDirectory();
const running: StartedProduct[] = [];

afterAll(async () => {
  for (const product of running) await product.remove();
  rmSync(restored, { recursive: true, force: true });
});

async function start(env: NodeJS.ProcessEnv, dataDir?: string): Promise<StartedProduct> {
  const place = dataDir === undefined ? {} : { dataDir };
  const product = await startProduct({ infrastructure: 'own', env, ...place });
  running.push(product);
  return product;
}

/** As docs/operations/install.md has it: everything but Postgres. */
const isBackedUp = (path: string): boolean => basename(path) !== 'postgres';

it('comes back from a backup of Kafka alone, and sends webhooks nothing again', async () => {
  const subscriber = await startSubscriber();
  const env = { WEBHOOK_ALLOWED_ADDRESSES: subscriber.address, WEBHOOK_QUEUE_INTERVAL: '0' };
  const product = await start(env);
  const api = createApiClient(product.url, withApiKey(product.access().apiKey));
  await api.post('/Webhook', { event: 'Account.create', url: subscriber.url('/made') });
  const { id } = recordIn(await api.post('/Account', anAccount()));
  const changed = recordIn(await api.put(`/Account/${id}`, { name: 'Changed' }));
  await eventually(() => expect(subscriber.events('/made')).toHaveLength(1));
  api.close();
  await product.stop();
  cpSync(product.dataDir, restored, { recursive: true, filter: isBackedUp });

  const again = await start(env, restored);
  const client = createApiClient(again.url, withApiKey(again.access().apiKey));
  expect(recordIn(await client.get(`/Account/${id}`))).toEqual(changed);
  const another = recordIn(await client.post('/Account', anAccount()));
  await eventually(() => expect(subscriber.events('/made')).toHaveLength(2));
  expect(subscriber.events('/made').map((event) => event['id'])).toEqual([id, another.id]);
  expect(listIn(await client.get('/Account')).total).toBe(2);
  client.close();
  for (const line of [['doctor'], ['verify'], ['verify', '--webhooks']]) {
    const { code, stdout } = await runCli([...line, '--data-dir', restored], {});
    expect({ code, stdout }).toMatchObject({ code: 0 });
  }
  await subscriber.close();
});
