import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { readProjectFile } from '../contract/source-files.ts';
import { createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';
import { startSubscriber } from '../support/receivers/subscriber.ts';

const places = makeTestDirectory();
const restored = join(places, 'restored');
const root = join(import.meta.dirname, '..', '..');
const running: StartedProduct[] = [];

afterAll(async () => {
  for (const product of running) await product.remove();
  rmSync(places, { recursive: true, force: true });
});

async function start(env: NodeJS.ProcessEnv, dataDir?: string): Promise<StartedProduct> {
  const place = dataDir === undefined ? {} : { dataDir };
  const product = await startProduct({ infrastructure: 'own', env, ...place });
  running.push(product);
  return product;
}

/** Runs the lines of a section of docs/operations/install.md on this data directory; what they print. */
async function runLinesOf(heading: string, dataDir: string): Promise<string> {
  const [, after = ''] = readProjectFile('docs/operations/install.md').split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ', 1);
  const lines = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  expect(lines.length).toBeGreaterThan(0);
  // The same program without an npm between.
  const npm = `npm() { test "$*" = "run backup -- $4" && "${process.execPath}" infra/local/back-up.ts "$4"; }`;
  const script = ['set -euo pipefail', npm, ...lines]
    .join('\n')
    .replaceAll(' .annals', ` ${dataDir}`)
    .replaceAll('/mnt/', `${places}/`);
  const env = { ...process.env, ANNALS_DATA_DIR: dataDir, KAFKA_BROKERS: '' };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: root, env });
  return stdout;
}

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
  for (const place of ['backup', 'vault']) mkdirSync(join(places, place));
  expect(await runLinesOf('Backing up', product.dataDir)).toContain('holds the log');
  rmSync(product.dataDir, { recursive: true });
  await runLinesOf('Restoring', restored);

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
}, 120_000);
