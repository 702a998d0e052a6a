import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readProjectFile } from '../contract/source-files.ts';
import { createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey, withHmacHex, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { checkOutToRun } from '../support/harness/check-out.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';
import { startSubscriber } from '../support/receivers/subscriber.ts';

/** The last commit of 0.1.0. */
const former = 'e13e2dfe';
const places = makeTestDirectory();
const dataDir = join(places, 'data');
const running: StartedProduct[] = [];

afterAll(async () => {
  for (const product of running) await product.remove();
  rmSync(places, { recursive: true, force: true });
});

const checkout = checkOutToRun(former, places);
const reason = checkout === undefined ? ` (skipped: no commit ${former} in this copy)` : '';

async function start(env: NodeJS.ProcessEnv, more: { readonly root?: string } = {}) {
  const product = await startProduct({ infrastructure: 'own', env, dataDir, ...more });
  running.push(product);
  return product;
}

/** The commands that the page names for after the start. */
function commandsAfter(): readonly (readonly string[])[] {
  const page = readProjectFile('docs/operations/upgrade.md');
  return [...page.matchAll(/^npm run annals -- (.+?)(?: +#.*)?$/gm)].map(([, line = '']) =>
    line.trim().split(' '),
  );
}

it.skipIf(checkout === undefined)(
  `data of 0.1.0 can be upgraded as the page describes${reason}`,
  async () => {
    const subscriber = await startSubscriber();
    const env = { WEBHOOK_ALLOWED_ADDRESSES: subscriber.address, WEBHOOK_QUEUE_INTERVAL: '1s' };
    const before = await start(env, { root: checkout ?? '' });
    const api = createApiClient(before.url, withApiKey(before.access().apiKey));
    const admin = api.as(withPassword(before.access().admin));
    const define = '/EntityManager/action/createEntity';
    await admin.post(define, { name: 'Project', type: 'Base' });
    await admin.post('/Admin/fieldManager/Account', { name: 'rating', type: 'int' });
    await api.post('/Webhook', { event: 'Account.create', url: subscriber.url('/made') });
    const values = { ...anAccount(), rating: 4 };
    const { id } = recordIn(await api.post('/Account', values));
    const project = recordIn(await admin.post('/Project', { name: 'Bridge' }));
    await eventually(() => expect(subscriber.events('/made')).toHaveLength(1));
    const role = recordIn(await admin.get('/Role/role-full-access'));
    const former = before.access();
    api.close();
    await before.stop();

    const after = await start(env);
    const { apiKey, hmac, user } = former;
    const client = createApiClient(after.url, withApiKey(apiKey));
    const again = client.as(withPassword(former.admin));
    for (const login of [withHmacHex(hmac), withPassword(user)]) {
      expect((await client.as(login).get('/Account')).status).toBe(200);
    }
    expect(recordIn(await client.get(`/Account/${id}`))).toMatchObject({ ...values, id });
    expect(listIn(await client.get(`/Account/${id}/history`)).list).toHaveLength(1);
    expect(recordIn(await again.get(`/Project/${project.id}`))).toMatchObject({ name: 'Bridge' });
    // No start grants permissions that no administrator granted.
    expect(recordIn(await again.get('/Role/role-full-access'))).toEqual(role);
    expect((await client.get('/Project')).status).toBe(403);
    expect((await client.get('/Document')).status).toBe(403);
    const another = recordIn(await client.post('/Account', anAccount()));
    await eventually(() => expect(subscriber.events('/made')).toHaveLength(2));
    expect(subscriber.events('/made').map((event) => event['id'])).toEqual([id, another.id]);
    client.close();

    const commands = commandsAfter();
    expect(commands.map(([name]) => name)).toEqual(
      expect.arrayContaining(['topics', 'doctor', 'verify']),
    );
    for (const line of commands) {
      const { code, stdout, stderr } = await runCli([...line, '--data-dir', dataDir], {});
      expect({ line, code, stdout, stderr }).toMatchObject({ code: 0 });
    }
    await subscriber.close();
  },
  360_000,
);
