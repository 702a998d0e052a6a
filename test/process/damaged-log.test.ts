import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { describeTopics, withAdmin } from '../../shared/kafka/describe-topics.ts';
import { type ApiClient, createApiClient, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { type RunningCli, runCli, startCli } from '../support/harness/run-cli.ts';
import { compactTopic } from '../support/log/compact-topic.ts';
import { deleteEntries } from '../support/log/delete-entries.ts';

const prefix = `test-${randomBytes(4).toString('hex')}`;
const records = `${prefix}.records`;
const patience = { timeoutMs: 60_000, intervalMs: 200 };
/** Longer, because the product may repair the settings only after a compaction. */
const longPatience = { ...patience, timeoutMs: 150_000 };
let product: StartedProduct;
let api: ApiClient;
let ids: string[];

beforeAll(async () => {
  product = await startProduct({ env: { ANNALS_TOPIC_PREFIX: prefix } });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  ids = await createAccounts(80);
});

afterAll(async () => {
  api?.close();
  await product?.remove();
});

const env = { ANNALS_TOPIC_PREFIX: prefix };
const annals = (...line: readonly string[]) =>
  runCli([...line, '--data-dir', product.dataDir], env);

async function createAccounts(count: number): Promise<string[]> {
  const skip = { 'X-Skip-Duplicate-Check': 'true' };
  const answers = await Promise.all(
    Array.from({ length: count }, () => api.post('/Account', anAccount(), skip)),
  );
  return answers.map((answer) => String(recordIn(answer).id));
}

const silent = pino({ level: 'silent' });
const address = () => toKafkaAddress(product.access().kafka, 'test');

async function cleanupPolicyOf(topic: string): Promise<string | undefined> {
  const { topics } = await describeTopics(address(), [topic], silent);
  return topics[0]?.settings.get('cleanup.policy');
}

/** Lets Kafka compact segments; further changes make Kafka roll the segments. */
async function compact(topic: string): Promise<void> {
  await compactTopic(address(), topic, silent);
  for (let round = 0; round < 10; round += 1) {
    await Promise.allSettled(
      ids.slice(0, 20).map((id) => api.put(`/Account/${id}`, { name: `n${round}` })),
    );
    await sleep(150);
  }
}

async function expectRefusedWrites(reason: RegExp): Promise<void> {
  await eventually(async () => {
    const { status, body } = await api.post('/Account', anAccount());
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { message: expect.stringMatching(reason) },
    });
    const readiness = await fetch(`${product.url}/readyz`);
    expect(await readiness.json()).toMatchObject({ checks: { log: false } });
  }, patience);
}

const checks = ['doctor', 'status', 'topics check', 'verify', 'rebuild'];

async function expectNamed(reason: RegExp, commands = checks): Promise<void> {
  for (const line of commands) {
    const { code, stdout, stderr } = await annals(...line.split(' '));
    const output = `${line}: ${stdout}${stderr}`;
    expect(output).toMatch(reason);
    expect(output).toContain('rebuild-log --replace');
    expect(output).not.toMatch(/^\s+at .+:\d+:\d+/m);
    if (line !== 'status') expect(code, output).not.toBe(0);
  }
}

async function expectRecords(): Promise<void> {
  await eventually(async () => {
    for (const id of ids) expect((await api.get(`/Account/${id}`)).status).toBe(200);
  }, patience);
}

async function expectWhole(): Promise<void> {
  await eventually(async () => {
    const [id = ''] = await createAccounts(1);
    ids.push(id);
  }, patience);
  await expectRecords();
  for (const check of ['verify', 'topics check', 'rebuild --json']) {
    const { code, stdout, stderr } = await annals(...check.split(' '));
    expect(code, `${check}: ${stdout}${stderr}`).toBe(0);
  }
  await expectRecords();
}

async function replace(...options: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await annals('rebuild-log', '--replace', ...options, '--yes');
  expect(code, stdout + stderr).toBe(0);
}

async function kill(run: RunningCli, during: string): Promise<void> {
  await eventually(() => expect(run.stderr()).toContain(during), { ...patience, intervalMs: 2 });
  await run.stop();
  expect(run.stdout()).toBe('');
}

/** For use after a killed run, which may have completed. */
async function replaceAgain(...options: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await annals('rebuild-log', '--replace', ...options, '--yes');
  if (!stderr.includes('is complete')) expect(code, stdout + stderr).toBe(0);
}

it('rebuild-log names the missing entries and replaces the log after a killed run', async () => {
  expect(await annals('rebuild-log', '--replace', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The log is complete'),
  });
  await deleteEntries(address(), records, { partitions: [0, 2], share: 0.5 });

  const reason = new RegExp(`${records}/0: entries before offset \\d+ are missing`);
  await expectRefusedWrites(reason);
  await expectRecords();
  await expectNamed(reason, [...checks, 'rebuild-log --yes']);
  expect((await annals('topics', 'accept', '--yes')).code).toBe(1);

  const killed = startCli(
    ['rebuild-log', '--replace', '--yes', '--json', '--data-dir', product.dataDir],
    env,
  );
  await kill(killed, 'Writing the log');
  await replaceAgain();
  await expectWhole();
}, 300_000);

it('rebuild-log replaces a log that has lost all entries', async () => {
  for (const topic of ['installation', 'directory', 'records', 'files'])
    await deleteEntries(address(), `${prefix}.${topic}`, { share: 1 });
  const reason = /entries before offset \d+ are missing/;
  await expectRefusedWrites(reason);
  await expectRecords();
  await expectNamed(reason, [...checks, 'rebuild-log --yes']);
  await replace();
  await expectWhole();
}, 300_000);

it('rebuild-log names the missing entries of a compacted log and replaces the log', async () => {
  const reason = new RegExp(`${records}/\\d+: (the entry|entries) .+ (is|are) missing`);
  await eventually(async () => {
    await compact(records);
    expect((await api.post('/Account', anAccount())).body).toMatchObject({
      message: expect.stringMatching(reason),
    });
  }, longPatience);
  await expectRefusedWrites(reason);
  await expectRecords();
  await expectNamed(reason);
  await eventually(async () => {
    expect(await cleanupPolicyOf(records)).toBe('delete');
  }, patience);
  await replace();
  await expectWhole();
}, 300_000);

it('rebuild-log rewrites one damaged partition after its old entries', async () => {
  const [busiest] = (
    await withAdmin(address(), silent, (admin) => admin.fetchTopicOffsets(records))
  ).toSorted((one, other) => Number(other.offset) - Number(one.offset));
  const partition = busiest?.partition ?? 0;
  await deleteEntries(address(), records, { partitions: [partition], share: 0.5 });
  await expectRefusedWrites(/are missing/);

  const killed = startCli(
    ['rebuild-log', '--replace', '--partition', String(partition), '--yes', '--json'].concat(
      '--data-dir',
      product.dataDir,
    ),
    env,
  );
  await kill(killed, 'Writing the partition');
  await replaceAgain('--partition', String(partition));
  await expectWhole();
  expect(
    await annals('rebuild-log', '--replace', '--partition', String(partition), '--yes'),
  ).toMatchObject({ code: 1, stderr: expect.stringContaining('is complete') });

  await deleteEntries(address(), records, { partitions: [partition], share: 1 });
  await expectRefusedWrites(/are missing/);
  await replace('--partition', String(partition));
  await expectWhole();
}, 300_000);
