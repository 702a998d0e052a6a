import { rmSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { aTextFile } from '../support/builders/a-text-file.ts';
import { unique } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { checkOutToRun } from '../support/harness/check-out.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { startSubscriber } from '../support/receivers/subscriber.ts';

/** The oldest commit whose data this version has to read. */
const FORMER = '81122c75';
const place = makeTestDirectory();
const dataDir = `${place}/data`;
const former = checkOutToRun(FORMER, place);
const reason = former === undefined ? ` (skipped: no commit ${FORMER} in this copy)` : '';
const FILE = 'kept through every version';
let product: StartedProduct | undefined;

afterAll(async () => {
  await product?.remove();
  rmSync(place, { recursive: true, force: true });
});

it.skipIf(former === undefined)(
  `data of npm start can be upgraded to this version and downgraded without loss${reason}`,
  async () => {
    const subscriber = await startSubscriber();
    const env = { WEBHOOK_ALLOWED_ADDRESSES: subscriber.address, WEBHOOK_QUEUE_INTERVAL: '1s' };
    /** Last names of accounts by id; `events` is their number of events. */
    const names = new Map<string, string>();
    let events = 0;
    let file = '';
    let project = '';

    async function run(root: string | undefined, work: (api: ApiClient) => Promise<void>) {
      const started = {
        infrastructure: 'own',
        env,
        dataDir,
        ...(root !== undefined && { root }),
      } as const;
      product = await startProduct(started);
      const { apiKey, admin: password } = product.access();
      const api = createApiClient(product.url, withApiKey(apiKey));
      const admin = api.as(withPassword(password));
      await work(admin);
      await write(api);
      for (const [id, name] of names) {
        expect(recordIn(await api.get(`/Account/${id}`))).toMatchObject({ name });
      }
      expect(recordIn(await admin.get(`/Project/${project}`))).toMatchObject({ name: 'Bridge' });
      expect((await admin.get(`/Attachment/file/${file}`)).text).toBe(FILE);
      await eventually(() => {
        const ids = subscriber.events('/hook').map((element) => element['id']);
        expect(ids).toHaveLength(events);
        expect(new Set(ids).size).toBe(events);
      });
      for (const line of [['verify'], ['verify', '--webhooks']]) {
        const { code, stdout, stderr } = await runCli([...line, '--data-dir', dataDir], {}, root);
        expect(code, `${line.join(' ')}: ${stdout}${stderr}`).toBe(0);
      }
      api.close();
      await product.stop();
    }

    /** Changes an existing account, and creates one. */
    async function write(api: ApiClient): Promise<void> {
      const [changed] = names.keys();
      if (changed !== undefined) {
        const name = unique('Account');
        await api.put(`/Account/${changed}`, { name });
        names.set(changed, name);
        events += 1;
      }
      const name = unique('Account');
      names.set(recordIn(await api.post('/Account', { name })).id, name);
      events += 1;
    }

    await run(former, async (admin) => {
      for (const event of ['Account.create', 'Account.update']) {
        await registerWebhook(admin, {
          event,
          url: subscriber.url('/hook'),
          payloadFormat: 'events',
        });
      }
      await admin.post('/EntityManager/action/createEntity', { name: 'Project', type: 'Base' });
      project = recordIn(await admin.post('/Project', { name: 'Bridge' })).id;
      file = recordIn(await admin.post('/Attachment', aTextFile(FILE))).id;
    });
    for (const root of [undefined, former]) await run(root, async () => {});
    await subscriber.close();
  },
  480_000,
);
