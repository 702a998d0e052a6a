import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey, withEspo, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { runRefusedStart, type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli, startCli } from '../support/harness/run-cli.ts';
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

const adminOf = ({ url, access }: StartedProduct): ApiClient =>
  createApiClient(url, withPassword(access().admin));

async function createAccounts(api: ApiClient, count: number): Promise<readonly string[]> {
  const skip = { 'X-Skip-Duplicate-Check': 'true' };
  const answers = await Promise.all(
    Array.from({ length: count }, () => api.post('/Account', anAccount(), skip)),
  );
  return answers.map((answer) => String(recordIn(answer).id));
}

const all = { create: 'yes', read: 'all', edit: 'all', delete: 'all', stream: 'all' };
const text = 'The content of a file.';

/**
 * Creates a definition with a field, a user with a role and a team, and a record of the definition with a
 * file and a post.
 */
async function createRest(admin: ApiClient) {
  const labels = { labelSingular: 'Paper', labelPlural: 'Papers' };
  await admin.post('/EntityManager/action/createEntity', {
    ...{ name: 'Paper', type: 'Base', stream: true },
    ...labels,
  });
  await admin.post('/Admin/fieldManager/Paper', { name: 'scan', type: 'file' });
  const role = recordIn(await admin.post('/Role', { name: 'Readers', data: { Paper: all } }));
  const team = recordIn(await admin.post('/Team', { name: 'North' }));
  const user = recordIn(
    await admin.post('/User', {
      ...{ userName: 'reader', type: 'api', authMethod: 'ApiKey' },
      ...{ rolesIds: [role.id], teamsIds: [team.id] },
    }),
  );
  const file = recordIn(
    await admin.post('/Attachment', {
      ...{ name: 'scan.txt', type: 'text/plain', role: 'Attachment' },
      ...{ relatedType: 'Paper', field: 'scan' },
      file: `data:text/plain;base64,${Buffer.from(text).toString('base64')}`,
    }),
  );
  const made = await admin.post('/Paper', { name: 'Charter', scanId: file.id });
  const paper = recordIn(made);
  await admin.post('/Note', {
    ...{ type: 'Post', post: 'Read it.', parentType: 'Paper', parentId: paper.id },
  });
  const token = String(made.headers['x-consistency-token']);
  const paths = [
    ...[`/Role/${role.id}`, `/Team/${team.id}`, `/User/${user.id}`, `/Paper/${paper.id}`],
    ...[`/Paper/${paper.id}/stream`, `/Attachment/${file.id}`],
  ];
  return { paths, token, fileId: file.id, paperId: paper.id, apiKey: String(user['apiKey']) };
}

/** Writes events of types without a definition: a login with a token, a replay, a run of the queue. */
async function writeUndefined(
  { access }: StartedProduct,
  { api, admin, webhookId }: { api: ApiClient; admin: ApiClient; webhookId: string },
): Promise<void> {
  const { userName, password } = access().admin;
  const entered = await api.as(withEspo({ userName, secret: password })).get('/App/user');
  expect(entered.body).toMatchObject({ token: expect.any(String) });
  const period = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  const replay = await api.post(`/Webhook/${webhookId}/replay`, { ...period, dryRun: true });
  expect(replay.status).toBe(200);
  expect((await admin.post('/Webhook/action/processQueue')).status).toBe(200);
}

async function readAll(api: ApiClient, paths: readonly string[]) {
  const answers = await Promise.all(paths.map((path) => api.get(path)));
  for (const [index, { status }] of answers.entries())
    expect([paths[index], status]).toEqual([paths[index], 200]);
  return answers.map(({ body }) => body);
}

/** Kills a run while it writes. */
async function rebuildAndKill({ dataDir }: StartedProduct): Promise<void> {
  const line = ['rebuild-log', '--yes', '--json', '--data-dir', dataDir];
  const run = startCli(line, { KAFKA_BROKERS: '', DATABASE_URL: '' });
  await eventually(() => expect(run.stderr()).toContain('Writing the log'), { timeoutMs: 60_000 });
  await run.stop();
  expect(run.stdout()).toBe('');
}

it('rebuild-log writes the log from Postgres, and Annals continues as before', async () => {
  product = await startProduct({
    infrastructure: 'own',
    env: {
      WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
      WEBHOOK_QUEUE_INTERVAL: '0',
      API_CUSTOM_PREFIX: 'taken',
    },
  });
  let api = clientOf(product);
  const webhook = await registerWebhook(api, {
    event: 'Account.create',
    url: subscriber.url('/made'),
  });
  const before = await createAccounts(api, ACCOUNTS);
  const [changed = '', removed = ''] = before;
  await api.put(`/Account/${changed}`, { name: 'Changed' });
  await api.delete(`/Account/${removed}`);
  await eventually(() => expect(subscriber.events('/made')).toHaveLength(ACCOUNTS), {
    timeoutMs: 60_000,
  });
  let admin = adminOf(product);
  const rest = await createRest(admin);
  await writeUndefined(product, { api, admin, webhookId: webhook.id });
  const left = before.filter((id) => id !== removed).map((id) => `/Account/${id}`);
  const paths = [...left, ...rest.paths];
  const bodies = await readAll(admin, paths);
  admin.close();
  expect(await annals('rebuild-log --yes', product)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The log is not lost'),
  });
  api.close();
  await product.stop();
  rmSync(join(product.dataDir, 'kafka'), { recursive: true });

  const refused = await runRefusedStart({
    ...{ ANNALS_DATA_DIR: product.dataDir, ANNALS_INFRA: 'local', PORT: new URL(product.url).port },
    ...{ KAFKA_BROKERS: undefined, DATABASE_URL: undefined },
  });
  expect(refused.exit).toMatchObject({ code: 1 });
  expect(refused.output).toContain('npm run annals -- rebuild-log');
  expect(existsSync(join(product.dataDir, 'kafka', 'data'))).toBe(false);

  const planned = await annals('rebuild-log --dry-run --json', product);
  expect(planned, planned.stderr).toMatchObject({ code: 0 });
  // A dry run leaves no data directory behind that a start would wait for.
  expect(existsSync(join(product.dataDir, 'kafka', 'data'))).toBe(false);
  await rebuildAndKill(product);
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
  admin = adminOf(product);
  expect(await readAll(admin, paths)).toEqual(bodies);
  admin.close();
  expect((await api.get(`/Account/${removed}`)).status).toBe(404);
  const reader = createApiClient(product.url, withApiKey(rest));
  const atToken = { 'x-consistency-token': rest.token };
  expect((await reader.get(`/Paper/${rest.paperId}`, atToken)).status).toBe(200);
  reader.close();
  // Only the new topic has the bytes now.
  await withClient(product.access().postgres.url, (client) =>
    client.query('drop schema annals_files cascade'),
  );
  const fileUrl = `${product.url}/api/v1/Attachment/file/${rest.fileId}`;
  await eventually(
    async () => {
      const bytes = await fetch(fileUrl, { headers: { 'X-Api-Key': rest.apiKey } });
      expect(await bytes.text()).toBe(text);
    },
    { timeoutMs: 40_000 },
  );
  const { versionNumber } = recordIn(await api.get(`/Account/${changed}`));
  const again = recordIn(await api.put(`/Account/${changed}`, { name: 'Changed again' }));
  expect(again['versionNumber']).toBe(Number(versionNumber) + 1);
  const after = await createAccounts(api, 10);
  await eventually(() => expect(subscriber.events('/made').length).toBe(ACCOUNTS + after.length));
  for (const check of ['verify', 'verify --webhooks', 'topics check']) {
    const { code, stdout, stderr } = await annals(check, product);
    expect(code, `${check}: ${stdout}${stderr}`).toBe(0);
  }
  api.close();
}, 480_000);

it('rebuild-log names records with an incomplete history and omits them with --without', async () => {
  if (product === undefined) throw new Error('the case above has started no product');
  let api = clientOf(product);
  const [gap = '', end = '', kept = ''] = await createAccounts(api, 3);
  for (const id of [gap, end, kept])
    for (const name of ['Second', 'Third']) await api.put(`/Account/${id}`, { name });
  const last = await createAccounts(api, 1);
  await withClient(product.access().postgres.url, (client) =>
    client.query(
      `delete from annals.record_history where record_id = $1 and version = 2
       or record_id = $2 and version = 3`,
      [gap, end],
    ),
  );
  api.close();
  await product.stop();
  rmSync(join(product.dataDir, 'kafka'), { recursive: true });

  const refused = await annals('rebuild-log --yes', product);
  expect(refused.code).toBe(1);
  for (const id of [gap, end]) {
    expect(refused.stderr).toContain(`Account ${id}`);
    expect(refused.stderr).toContain(`--without ${id}`);
  }
  const one = await annals(`rebuild-log --yes --without ${gap}`, product);
  expect(one).toMatchObject({ code: 1, stderr: expect.stringContaining(`Account ${end}`) });
  expect(one.stderr).not.toContain(gap);
  const both = `rebuild-log --yes --json --without ${gap} --without ${end}`;
  const rebuilt = await annals(both, product);
  expect(rebuilt, rebuilt.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(rebuilt.stdout)).toMatchObject({
    rebuilt: true,
    leftOut: 4,
    verified: { differences: 0 },
  });

  product = await product.startAgain();
  api = clientOf(product);
  for (const id of [gap, end]) expect((await api.get(`/Account/${id}`)).status).toBe(404);
  for (const id of [kept, ...last]) expect((await api.get(`/Account/${id}`)).status).toBe(200);
  expect(recordIn(await api.put(`/Account/${kept}`, { name: 'Fourth' }))).toMatchObject({
    versionNumber: 4,
  });
  const { code, stdout, stderr } = await annals('verify', product);
  expect(code, `${stdout}${stderr}`).toBe(0);
  api.close();
}, 240_000);
