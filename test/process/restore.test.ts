import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withServers } from '../../infra/cli/own-servers.ts';
import { lockRun, recordRun } from '../../infra/cli/rebuild-log/work-schema.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { tryLockFile } from '../../infra/local/processes/file-lock.ts';
import { inspectInstalledLog } from '../../services/system/installation/inspect-installed-log.ts';
import { decodeLogEntry } from '../../shared/events/log-entry-codec.ts';
import { readProjectFile } from '../contract/source-files.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { runCli, startCli } from '../support/harness/run-cli.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';
import { createLogReader } from '../support/log/log-reader.ts';
import { registerWebhook } from '../support/receivers/register-webhook.ts';
import { type Subscriber, startSubscriber } from '../support/receivers/subscriber.ts';
import { startWriteLoad } from '../support/write-load.ts';

const root = join(import.meta.dirname, '..', '..');
const places = makeTestDirectory();
const backup = join(places, 'backup', 'annals');
const own = { KAFKA_BROKERS: '', DATABASE_URL: '' };
const text = 'The content of a file.';
/** The number of random times during the load to restore to; each takes about 15 s. */
const MOMENTS = Number(process.env['RESTORE_MOMENTS'] ?? 1);
const LOAD_MS = 1_500;
let subscriber: Subscriber;
let product: StartedProduct | undefined;

beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(async () => {
  await product?.remove();
  await subscriber.close();
  rmSync(places, { recursive: true, force: true });
});

const annals = (line: string, dataDir: string) =>
  runCli([...line.split(' '), '--data-dir', dataDir], own);

async function start(dataDir: string): Promise<StartedProduct> {
  const env = {
    WEBHOOK_ALLOWED_ADDRESSES: subscriber.address,
    WEBHOOK_QUEUE_INTERVAL: '0',
    API_CUSTOM_PREFIX: 'taken',
  };
  product = await startProduct({ infrastructure: 'own', env, dataDir });
  return product;
}

/** Runs the commands in a section of docs/operations/install.md on this data directory; returns their output. */
async function runLinesOf(heading: string, dataDir: string): Promise<string> {
  const [, after = ''] = readProjectFile('docs/operations/install.md').split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ', 1);
  const lines = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  expect(lines.length).toBeGreaterThan(0);
  // Runs the same program without npm.
  const npm = `npm() { test "$1 $2 $3" = "run annals --" && shift 3 && "${process.execPath}" infra/cli/main.ts "$@"; }`;
  const script = ['set -euo pipefail', npm, ...lines]
    .join('\n')
    .replaceAll(' .annals', ` ${dataDir}`)
    .replaceAll('/mnt/', `${places}/`);
  const env = { ...process.env, ...own, ANNALS_DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: root, env });
  return stdout;
}

/** Creates a definition, and a record of it with a file. */
async function createPaper(admin: ApiClient) {
  const labels = { labelSingular: 'Paper', labelPlural: 'Papers' };
  await admin.post('/EntityManager/action/createEntity', {
    name: 'Paper',
    type: 'Base',
    ...labels,
  });
  await admin.post('/Admin/fieldManager/Paper', { name: 'scan', type: 'file' });
  const file = recordIn(
    await admin.post('/Attachment', {
      ...{ name: 'scan.txt', type: 'text/plain', role: 'Attachment' },
      ...{ relatedType: 'Paper', field: 'scan' },
      file: `data:text/plain;base64,${Buffer.from(text).toString('base64')}`,
    }),
  );
  const paper = recordIn(await admin.post('/Paper', { name: 'Charter', scanId: file.id }));
  return { file, paper };
}

/** Returns the events of accounts that were in the log at a time. */
async function accountEventsAt({ access }: StartedProduct, at: number) {
  const reader = createLogReader(access().kafka);
  const partitions = await reader.messages('annals.records');
  await reader.close();
  const entries = partitions.flatMap((messages) => {
    const later = messages.findIndex(({ timestamp }) => timestamp > at);
    return (later === -1 ? messages : messages.slice(0, later)).map(({ value }) =>
      decodeLogEntry(value),
    );
  });
  const events = entries.flatMap((entry) => (entry.kind === 'event' ? [entry.event] : []));
  return events.filter(({ entityType }) => entityType === 'Account');
}

/** Returns the version of each account that existed at a time. */
async function accountsAt(from: StartedProduct, at: number) {
  const events = await accountEventsAt(from, at);
  const latest = new Map(events.map((event) => [event.recordId, event]));
  const live = [...latest.values()].filter(({ type }) => type !== 'Deleted');
  return Object.fromEntries(live.map(({ recordId, version }) => [recordId, version]));
}

async function accountsIn({ access }: StartedProduct) {
  const { rows } = await withClient(access().postgres.url, (client) =>
    client.query<{ id: string; version: number }>(
      'select id, version from annals.account where not deleted order by id collate "C"',
    ),
  );
  return Object.fromEntries(rows.map(({ id, version }) => [id, version]));
}

/** Returns the entries of each webhook that numbers its events, by key. */
async function numbersIn({ access }: StartedProduct) {
  const reader = createLogReader(access().kafka);
  const [messages = []] = await reader.messages('annals.webhook-sequences');
  await reader.close();
  return Object.fromEntries(messages.map(({ key, value }) => [key, String(value)]));
}

/** Creates an empty data directory with the keys of another one. */
function makeTarget(name: string, from: string): string {
  const target = join(places, name);
  mkdirSync(target);
  for (const file of ['secret.key', 'seed.json'])
    copyFileSync(join(from, file), join(target, file));
  return target;
}

/**
 * Leaves the state of a run that ended between its note and its last statement. Only one run is allowed at a
 * time.
 */
async function leaveNote(target: string): Promise<void> {
  await withServers(target, async (installation) => {
    const { findings } = await inspectInstalledLog(installation);
    const [client, other] = await Promise.all([installation.connect(), installation.connect()]);
    await lockRun(client);
    await expect(lockRun(other)).rejects.toThrow('Another rebuild-log or restore');
    await recordRun(client, findings.log.clusterId);
    await Promise.all([client.end(), other.end()]);
  });
}

/** Kills a run while it writes. */
async function restoreAndKill(line: string, target: string): Promise<void> {
  const run = startCli([...line.split(' '), '--data-dir', target], own);
  await eventually(() => expect(run.stderr()).toContain('Restoring'), { timeoutMs: 60_000 });
  await run.stop();
  expect(run.stdout()).toBe('');
}

it(
  'annals restore restores any point in time without resending events',
  async () => {
    const first = await start(join(places, 'first'));
    const api = createApiClient(first.url, withApiKey(first.access().apiKey));
    const admin = createApiClient(first.url, withPassword(first.access().admin));
    const { file, paper } = await createPaper(admin);
    await registerWebhook(api, { event: 'Account.create', url: subscriber.url('/made') });
    const numbered = { url: subscriber.url('/changed'), payloadFormat: 'events' };
    await registerWebhook(api, { event: 'Account.update', ...numbered });
    for (const place of ['backup', 'vault']) mkdirSync(join(places, place));

    const load = startWriteLoad(api, []);
    await eventually(() => expect(load.acknowledged()).toBeGreaterThan(100));
    expect(await runLinesOf('Backing up', first.dataDir)).toContain('Backed up the log to');
    const begun = Date.now();
    const moments = Array.from({ length: MOMENTS }, () => begun + Math.random() * LOAD_MS).map(
      Math.round,
    );
    await sleep(LOAD_MS);
    const lock = tryLockFile(join(backup, 'lock'));
    expect(lock).toBeDefined();
    const second = await annals(`backup ${backup} --json`, first.dataDir);
    expect(second).toMatchObject({ code: 1 });
    expect(second.stderr).toContain('Another backup into');
    lock?.release();
    const one = await annals(`backup ${backup} --json`, first.dataDir);
    expect(one, one.stderr).toMatchObject({ code: 0 });
    await load.stop();
    expect(load.complaints).toEqual([]);
    const written = await accountEventsAt(first, Date.now());
    const count = (wanted: string) => written.filter(({ type }) => type === wanted).length;
    const [created, updated] = [count('Created'), count('Updated')];
    await eventually(
      () => {
        expect(subscriber.events('/made')).toHaveLength(created);
        expect(subscriber.events('/changed')).toHaveLength(updated);
      },
      { timeoutMs: 60_000 },
    );
    const last = await annals(`backup ${backup} --json`, first.dataDir);
    expect(JSON.parse(last.stdout)).toMatchObject({ isIncremental: true });
    expect((await annals(`restore ${backup} --yes`, first.dataDir)).stderr).toContain(
      'Postgres contains the tables of a log',
    );
    const expected = await Promise.all(moments.map((moment) => accountsAt(first, moment)));
    const now = await accountsAt(first, Date.now());
    const numbers = await numbersIn(first);
    // The last number, and the numbers of batches without a recorded outcome.
    expect(Object.keys(numbers)).toHaveLength(2);
    admin.close();
    api.close();
    await first.stop();

    for (const [index, moment] of moments.entries()) {
      const then = expected[index] ?? {};
      expect(Object.keys(then).length).toBeGreaterThan(20);
      expect(then).not.toEqual(now);
      const target = makeTarget(`then-${index}`, first.dataDir);
      const line = `restore ${backup} --until ${new Date(moment).toISOString()} --yes --json`;
      if (index === 0) await restoreAndKill(line, target);
      const restored = await annals(line, target);
      expect(restored, restored.stderr).toMatchObject({ code: 0 });
      if (index === 0) {
        await leaveNote(target);
        const repeated = await annals(line, target);
        expect(repeated.stderr).toContain('has already restored the whole log, as generation 2');
      }
      const atMoment = await start(target);
      expect(await accountsIn(atMoment)).toEqual(then);
      expect((await annals('verify', target)).code).toBe(0);
      expect(await numbersIn(atMoment)).toEqual(numbers);
      await atMoment.remove();
    }

    await runLinesOf('Restoring', join(places, 'now'));
    const again = await start(join(places, 'now'));
    const client = createApiClient(again.url, withApiKey(again.access().apiKey));
    expect(await accountsIn(again)).toEqual(now);
    const asAdmin = createApiClient(again.url, withPassword(again.access().admin));
    expect(recordIn(await asAdmin.get(`/Paper/${paper.id}`))).toEqual(paper);
    const bytes = await fetch(`${again.url}/api/v1/Attachment/file/${file.id}`, {
      headers: withPassword(again.access().admin)('GET', ''),
    });
    expect(await bytes.text()).toBe(text);
    const { id } = recordIn(await client.post('/Account', anAccount()));
    await eventually(() => expect(subscriber.events('/made')).toHaveLength(created + 1));
    expect(subscriber.events('/made').at(-1)).toMatchObject({ id });
    expect(subscriber.events('/changed')).toHaveLength(updated);
    for (const check of ['verify', 'verify --webhooks', 'doctor']) {
      const { code, stdout } = await annals(check, again.dataDir);
      expect({ code, stdout }).toMatchObject({ code: 0 });
    }
    expect((await annals(`backup ${backup}`, again.dataDir)).stderr).toContain(
      'contains a backup of another log',
    );
    asAdmin.close();
    client.close();
  },
  400_000 + MOMENTS * 60_000,
);

describe('a backup', () => {
  const copy = join(places, 'copy');
  const dryRun = () => annals(`restore ${copy} --dry-run`, places);

  it.each([
    ['a changed byte of a chunk', /^records-/, 'flip'],
    ['a missing chunk', /^directory-/, 'remove'],
    ['a changed byte of its index', /^backup.json$/, 'flip'],
  ] as const)(
    'is rejected before anything is written if it has %s',
    async (_what, pattern, change) => {
      rmSync(copy, { recursive: true, force: true });
      cpSync(backup, copy, { recursive: true });
      const name = readdirSync(copy).find((each) => pattern.test(each)) ?? '';
      const path = join(copy, name);
      if (change === 'remove') rmSync(path);
      else {
        const bytes = readFileSync(path);
        const at = Math.floor(bytes.length / 2);
        bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
        writeFileSync(path, bytes);
      }
      expect(await dryRun()).toMatchObject({ code: 1, stderr: expect.stringContaining(name) });
    },
  );

  it.each([
    ['after its end', () => new Date(), 'use an earlier time'],
    ['before its first entry', () => new Date('2020-01-01'), 'begins after the given time'],
  ])('is not restored to a time %s', async (_what, time, sentence) => {
    const line = `restore ${backup} --until ${time().toISOString()} --dry-run`;
    const { code, stderr } = await annals(line, places);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(sentence) });
  });

  it('continues after a killed run but not after a damaged last file', async () => {
    rmSync(copy, { recursive: true, force: true });
    cpSync(backup, copy, { recursive: true });
    const left = ['records-0-00000000000099999999.zst', 'backup.json.1.new'];
    for (const name of left) writeFileSync(join(copy, name), 'half');
    const stopped = join(places, 'first');
    const done = await annals(`backup ${copy} --json`, stopped);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(readdirSync(copy)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(left.join('|'))]),
    );
    expect(await dryRun()).toMatchObject({ code: 0 });

    const name = readdirSync(copy).findLast((each) => each.startsWith('records-0-')) ?? '';
    const bytes = readFileSync(join(copy, name));
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    writeFileSync(join(copy, name), bytes);
    const refused = await annals(`backup ${copy}`, stopped);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(name) });
  }, 60_000);

  it('is restored only with its own key', async () => {
    const target = makeTarget('other', join(places, 'first'));
    writeFileSync(join(target, 'secret.key'), 'ab'.repeat(32));
    const { code, stderr } = await annals(`restore ${backup} --yes`, target);
    expect({ code, stderr }).toMatchObject({ code: 1 });
    expect(stderr).toContain('The secret key differs from the key of the backup');
  }, 60_000);

  it('is not written to a directory with other files', async () => {
    const { code, stderr } = await annals(`backup ${places}`, join(places, 'now'));
    expect({ code, stderr }).toMatchObject({ code: 1 });
    expect(stderr).toContain('contains other files');
  });
});
