import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { toKafkaAddress, toKafkaVariables } from '../../infra/local/kafka/kafka-access.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import type { Finding } from '../../services/system/doctor/finding.ts';
import { changeTopicSettings, describeTopics } from '../../shared/kafka/describe-topics.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { version } from '../../shared/runtime/version.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { anAccount } from '../support/builders/record-builders.ts';
import { withApiKey, withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { type CliResult, runCli } from '../support/harness/run-cli.ts';
import { createTestDatabase } from '../support/harness/test-database.ts';

const topicPrefix = `operators-${process.pid}`;
const topics = topicNames(topicPrefix);
const log = pino({ level: 'silent' });
/** An address without a listener. */
const nowhere = '127.0.0.1:1';

let product: StartedProduct;
let api: ApiClient;

beforeAll(async () => {
  product = await startProduct({ env: { ANNALS_TOPIC_PREFIX: topicPrefix } });
  api = createApiClient(product.url, withApiKey(product.access().apiKey));
  await api.post('/Account', anAccount());
});

afterAll(async () => {
  api?.close();
  await product?.remove();
});

const kafka = () => toKafkaAddress(product.access().kafka, 'test');

function annals(line: string, env: NodeJS.ProcessEnv = {}): Promise<CliResult> {
  const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );
  return runCli([...args, '--data-dir', product.dataDir], {
    ANNALS_TOPIC_PREFIX: topicPrefix,
    ...toKafkaVariables(product.access().kafka),
    DATABASE_URL: product.access().postgres.url,
    ...env,
  });
}

async function json(line: string, env: NodeJS.ProcessEnv = {}) {
  const { code, stdout, stderr } = await annals(`${line} --json`, env);
  return { code, stderr, result: JSON.parse(stdout) };
}

async function diagnose(env: NodeJS.ProcessEnv = {}) {
  const { code, result } = await json('doctor', env);
  const findings = result.findings as readonly Finding[];
  const faults = findings.filter(({ verdict }) => verdict === 'fault');
  expect(faults.every(({ remedy = '' }) => remedy !== '')).toBe(true);
  return { code, findings, faults: faults.map(({ says }) => says) };
}

describe('annals doctor', () => {
  it('checks every part and finds no fault in a running Annals', async () => {
    const { code, findings, faults } = await diagnose();
    expect(faults).toEqual([]);
    expect(code).toBe(0);
    expect(new Set(findings.map(({ about }) => about))).toEqual(
      new Set([
        'data directory',
        'disk',
        'Kafka',
        'topics',
        'log',
        'Postgres',
        'services',
        'secret key',
        'read model',
        'files',
        'webhooks',
      ]),
    );
    const findingTexts = findings.map(({ says }) => says);
    expect(findingTexts).toContain('The clock of Kafka agrees with the clock of this host.');
    expect(findingTexts).toContain('The clock of Postgres agrees with the clock of this host.');
    expect(findingTexts).toContain('Kafka is release 3.9 or newer.');
    expect(findingTexts).toContain('The dispatcher process is ready.');
    expect(findingTexts).toContain(`All processes run version ${version}, as this command does.`);
    expect(findingTexts).toContainEqual(
      expect.stringMatching(/^The secret key opens all [3-9] secrets/),
    );
  });

  it('prints plain lines without colours if the output is not a terminal', async () => {
    const { code, stdout, stderr } = await annals('doctor', { FORCE_COLOR: undefined });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ok {7}The read model keeps up with the log[.]$/m);
    expect(stdout).toMatch(/^warning {2}Kafka runs on only one broker, .+[.] Remedy: .+$/m);
    expect(stdout).toMatch(/^\d+ checks, (?:1 warning|\d+ warnings), 0 faults[.]$/m);
    expect(stdout).not.toContain('\x1b');
  });

  it('continues its checks without Kafka or Postgres', async () => {
    const withoutKafka = await diagnose({ KAFKA_BROKERS: nowhere });
    expect(withoutKafka.code).toBe(1);
    expect(withoutKafka.faults).toEqual([
      expect.stringMatching(`^Kafka does not respond at ${nowhere} \\(.*ECONNREFUSED`),
    ]);
    expect(withoutKafka.findings.map(({ about }) => about)).toContain('Postgres');
    const withoutPostgres = await diagnose({ DATABASE_URL: `postgres://a:secret@${nowhere}/a` });
    expect(withoutPostgres.code).toBe(1);
    expect(withoutPostgres.faults).toHaveLength(1);
    expect(withoutPostgres.faults[0]).toContain('Postgres does not respond');
    expect(JSON.stringify(withoutPostgres.findings)).not.toContain('secret@');
    expect(withoutPostgres.findings.map(({ about }) => about)).toContain('secret key');
  });

  it('finds a process that hangs', async () => {
    product.kill('dispatcher', 'SIGSTOP');
    try {
      const { code, faults } = await diagnose();
      expect(code).toBe(1);
      expect(faults.join()).toContain('The dispatcher process does not respond');
    } finally {
      product.kill('dispatcher', 'SIGCONT');
    }
    await product.waitUntilReady('dispatcher');
  });

  it('finds a secret key that cannot open stored values', async () => {
    const { faults } = await diagnose({ ANNALS_SECRET_KEY: 'ab'.repeat(32) });
    expect(faults).toEqual([
      expect.stringContaining('written with a different secret key'),
      expect.stringContaining('it is another key'),
    ]);
  });

  it('finds a file that other users can read', async () => {
    const path = join(product.dataDir, 'seed.json');
    chmodSync(path, 0o644);
    try {
      expect((await diagnose()).faults).toEqual(['Other users can read seed.json.']);
    } finally {
      chmodSync(path, 0o600);
    }
  });

  it('finds missing permissions of a Postgres user', async () => {
    const { url } = product.access().postgres;
    const stranger = `stranger_${process.pid}`;
    await withClient(url, (client) =>
      client.query(`create role ${stranger} login password 'stranger'`),
    );
    try {
      const limited = Object.assign(new URL(url), { username: stranger, password: 'stranger' });
      const { faults } = await diagnose({ DATABASE_URL: limited.href });
      expect(faults).toContainEqual(
        expect.stringMatching(/^Postgres does not allow stranger_.* to own schema annals/),
      );
      const { code, stderr } = await annals('status', { DATABASE_URL: limited.href });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^Postgres denies permission \(permission denied .*\): [^\n]+\n$/);
    } finally {
      await withClient(url, (client) => client.query(`drop role ${stranger}`));
    }
  });
});

describe('annals topics', () => {
  const settingOf = async (topic: string, name: string) => {
    const found = await describeTopics(kafka(), [topic], log);
    return found.topics[0]?.settings.get(name);
  };

  it('reports a topic with log compaction and resets the setting after confirmation', async () => {
    // These topics have no projector, which would reset the setting itself.
    const database = await createTestDatabase(product.access().postgres.url);
    onTestFinished(database.drop);
    const prefix = `${topicPrefix}-compacted`;
    const elsewhere = { ANNALS_TOPIC_PREFIX: prefix, DATABASE_URL: database.url };
    const records = `${prefix}.records`;
    expect((await annals('topics create', elsewhere)).code).toBe(0);
    expect(await annals('topics check', elsewhere)).toMatchObject({ code: 0, stderr: '' });
    const changes = new Map([
      ['cleanup.policy', 'compact'],
      ['segment.bytes', '104857600'],
    ]);
    await changeTopicSettings(kafka(), new Map([[records, changes]]), log);
    expect(await settingOf(records, 'retention.ms')).toBe('-1');

    const checked = await annals('topics check', elsewhere);
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain(`${records} has cleanup.policy=compact`);
    expect((await diagnose(elsewhere)).faults).toContainEqual(
      expect.stringContaining(`The topic ${records} has cleanup.policy=compact`),
    );

    const unconfirmed = await annals('topics repair', elsewhere);
    expect(unconfirmed.code).toBe(2);
    expect(unconfirmed.stderr).toContain('Confirm with --yes');
    expect(await settingOf(records, 'cleanup.policy')).toBe('compact');
    expect((await annals('topics repair --yes', elsewhere)).code).toBe(0);
    expect(await annals('topics check', elsewhere)).toMatchObject({ code: 0 });
    expect(await settingOf(records, 'segment.bytes')).toBe('104857600');
  });

  it('reports a harmless setting that the projector does not change', async () => {
    const changes = new Map([['flush.messages', '1000']]);
    await changeTopicSettings(kafka(), new Map([[topics.records, changes]]), log);
    const { result } = await json('status');
    expect(result.topics).toEqual({ missing: [], differing: [topics.records] });
    expect((await annals('topics repair --yes')).code).toBe(0);
  });

  it('creates missing topics once', async () => {
    const database = await createTestDatabase(product.access().postgres.url);
    onTestFinished(database.drop);
    const elsewhere = { ANNALS_TOPIC_PREFIX: `${topicPrefix}-new`, DATABASE_URL: database.url };
    const before = await annals('topics check', elsewhere);
    expect(before.code).toBe(1);
    expect(before.stdout).toContain(`${topicPrefix}-new.records is missing`);
    expect((await annals('status', elsewhere)).stderr).toContain('annals topics create');
    expect((await diagnose(elsewhere)).faults).toContainEqual(
      expect.stringMatching(/^None of the topics .+ exists[.]$/),
    );
    const { result } = await json('topics create --record-partitions 2', elsewhere);
    expect(result.created).toHaveLength(Object.values(topics).flat().length);
    expect((await json('topics create', elsewhere)).result).toEqual({ created: [] });
    const other = await annals('topics create --record-partitions 3', elsewhere);
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toContain('.records has 2 partitions, and this cannot be changed.');
    const { result: listed } = await json('topics list', elsewhere);
    expect(listed.missing).toEqual([]);
    expect(listed.topics).toHaveLength(Object.values(topics).flat().length);
    expect(listed.topics[2]).toMatchObject({
      topic: `${topicPrefix}-new.records`,
      partitions: 2,
      replicas: 1,
      inSync: 1,
      entries: 0,
      settings: { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'flush.messages': '1' },
    });
  });
});

describe('annals status', () => {
  it('shows the owner and the projector lag of every partition', async () => {
    const { code, result } = await eventually(async () => {
      const output = await json('status');
      expect(output.result.partitions.every(({ behind }: { behind: number }) => behind === 0)).toBe(
        true,
      );
      return output;
    });
    expect(code).toBe(0);
    expect(result.partitions).toHaveLength(5);
    for (const partition of result.partitions) {
      expect(partition).toMatchObject({
        seconds: 0,
        owner: product.internalUrl('api'),
        projector: product.internalUrl('projector'),
      });
      expect(partition.end).toBe(partition.projected);
    }
    expect(result.instances).toEqual({
      apis: [product.internalUrl('api')],
      projectors: [product.internalUrl('projector')],
      dispatchers: [product.internalUrl('dispatcher')],
    });
    expect(result.queues.map(({ stage }: { stage: string }) => stage)).toContain('delivery');
    expect(result).toMatchObject({ deadLetters: [], rejected: [] });
    const { stdout } = await annals('status');
    expect(stdout).toMatch(/^partition +end +projected +behind +seconds +owner +projector$/m);
    expect(stdout).toContain('Processes: 1 api, 1 projector, 1 dispatcher.');
    expect(stdout).toContain('No webhook has dead letters within the retention of attempts.');
  });

  it.each(['status', 'verify', 'rebuild', 'tail --no-follow', 'topics list', 'dead-letters list'])(
    'annals %s ends with one sentence if Kafka is unavailable',
    async (line) => {
      const { code, stdout, stderr } = await annals(line, { KAFKA_BROKERS: nowhere });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^Kafka at 127[.]0[.]0[.]1:1 does not respond [^\n]+\n$/);
    },
  );

  it.each(['status', 'verify'])(
    'annals %s ends with one sentence if Postgres is unavailable',
    async (line) => {
      const { code, stderr } = await annals(line, { DATABASE_URL: `postgres://a:b@${nowhere}/a` });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^Postgres does not respond [^\n]+\n$/);
    },
  );

  it.each([
    'status --nothing',
    'user create',
    'topics',
    'rebuild --drop-old',
    'rebuild --rollback --drop-old',
    'nothing',
    'verify --webhook a',
    'tail --type nonsense',
    'tail --entity Nonsense',
    'dead-letters list a',
    'replay --webhook a --cancel b --resume c',
  ])('annals %s is rejected as an invalid command line', async (line) => {
    const { code, stdout, stderr } = await annals(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toContain('    at ');
  });

  it('annals rejects a missing data directory and incomplete login settings', async () => {
    const nowhereElse = await runCli(['status', '--data-dir', join(product.dataDir, 'no')], {
      ...toKafkaVariables(product.access().kafka),
      DATABASE_URL: product.access().postgres.url,
    });
    expect(nowhereElse.code).toBe(2);
    expect(nowhereElse.stderr).toMatch(/^error: The directory [^\n]+ does not exist[.]\n/);
    const half = await annals('user list', { ANNALS_USER: 'somebody' });
    expect(half).toMatchObject({ code: 1, stdout: '' });
    expect(half.stderr).toContain('ANNALS_USER and ANNALS_PASSWORD belong together');
    const wrong = { ANNALS_SECRET_KEY: 'short', ANNALS_URL: 'here', DATABASE_URL: 'there' };
    const { code, stdout, stderr } = await annals('status', { ...wrong, KAFKA_BROKERS: nowhere });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      'invalid configuration:',
      expect.stringContaining('DATABASE_URL must be an address'),
      expect.stringContaining('ANNALS_SECRET_KEY must be 64 hexadecimal characters'),
      expect.stringContaining(
        "ANNALS_URL must be an address such as http://127.0.0.1:8080, got 'here'",
      ),
      '',
    ]);
  });
});

describe('annals user', () => {
  const access = () => product.access();
  const asNewUser = (apiKey: string) => api.as(withApiKey({ apiKey }));
  const countUsers = async () => (await json('user list')).result.list.length as number;

  it('creates a user with the named roles and prints its key once', async () => {
    const { code, result } = await json('user create shop --roles "Full access"');
    expect(code).toBe(0);
    expect(result).toMatchObject({ userName: 'shop', apiKey: expect.stringMatching(/^\w{32}$/) });
    expect((await asNewUser(result.apiKey).post('/Account', anAccount())).status).toBe(200);
    const listed = await annals('user list --json');
    expect(listed.stdout).not.toContain(result.apiKey);
    expect(JSON.parse(listed.stdout).list).toContainEqual({
      id: result.id,
      userName: 'shop',
      type: 'api',
      authMethod: 'ApiKey',
      isActive: true,
      roles: ['Full access'],
      teams: [],
    });
  });

  it('creates users with a password or a signing key', async () => {
    const { result: person } = await json('user create anna --type regular --roles "Full access"');
    expect(person.apiKey).toBeUndefined();
    const login = withPassword({ userName: 'anna', password: person.password });
    expect((await api.as(login).get('/Account')).status).toBe(200);
    const { result: signing } = await json('user create signer --auth-method Hmac');
    expect(signing.secretKey).toMatch(/^\w{32}$/);
  });

  it('creates no user if an argument is invalid', async () => {
    const before = await countUsers();
    // The reader of the pipe would keep the key.
    const piped = await annals('user create plain');
    expect([piped.code, piped.stdout]).toEqual([2, '']);
    expect(piped.stderr).toContain('--json');
    expect((await annals('user rotate shop --yes')).code).toBe(2);
    const noRole = await annals('user create other --roles "Nothing,Full access" --json');
    expect(noRole.code).toBe(1);
    expect(noRole.stderr).toMatch(/^Unknown role: Nothing[.] Existing: Full access/);
    const taken = await annals('user create shop --json');
    expect(taken.code).toBe(1);
    expect(taken.stderr).toMatch(/^The API returned 409: [^\n]+\n$/);
    const bad = await annals('user create "No Name" --json');
    expect(bad.code).toBe(1);
    expect(bad.stderr).toMatch(/^The API returned 400: userName[^\n]+\n$/);
    const wrong = await annals('user create other --type regular --auth-method Hmac');
    expect(wrong.code).toBe(2);
    const unknown = await annals('user rotate unknown --yes --json');
    expect(unknown.stderr).toMatch(/^User unknown does not exist/);
    const { code, stderr } = await annals('user create other --json', {
      ANNALS_URL: product.url,
      ANNALS_API_KEY: access().apiKey.apiKey,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The API returned 403: [^\n]+\n$/);
    expect(await countUsers()).toBe(before);
    const away = await annals('user list', { ANNALS_URL: `http://${nowhere}` });
    expect(away.code).toBe(1);
    expect(away.stderr).toMatch(
      /^The API at http:\/\/127[.]0[.]0[.]1:1 does not respond [^\n]+\n$/,
    );
  });

  it("rotates a user's key, disables and enables the user and changes the roles", async () => {
    const { result: made } = await json('user create carrier');
    const old = asNewUser(made.apiKey);
    expect((await annals('user rotate carrier --json')).code).toBe(2);
    expect((await old.get('/App/user')).status).toBe(200);
    const { result: rotated } = await json('user rotate carrier --yes');
    expect((await old.get('/App/user')).status).toBe(401);
    const client = asNewUser(rotated.apiKey);
    expect((await client.get('/Account')).status).toBe(403);

    const { stdout: given } = await annals('user roles carrier --add "Full access"');
    expect(given).toBe('carrier has Full access.\n');
    expect(listIn(await client.get('/Account')).total).toBeGreaterThan(0);
    const { stdout: taken } = await annals('user roles carrier --remove "Full access"');
    expect(taken).toBe('carrier has no roles.\n');
    expect((await client.get('/Account')).status).toBe(403);
    expect((await annals('user roles carrier --set a --add b')).code).toBe(2);

    expect((await annals('user disable carrier --yes')).code).toBe(0);
    expect((await client.get('/App/user')).status).toBe(401);
    expect((await annals('user enable carrier')).stdout).toBe('carrier is active.\n');
    expect((await client.get('/App/user')).status).toBe(200);
    const own = await annals(`user disable ${access().admin.userName} --yes`);
    expect(own.code).toBe(1);
    expect(own.stderr).toContain('cannot disable your own user');
  });

  it("disable leaves the user's webhooks undelivered and visible to administrators", async () => {
    const { result: made } = await json('user create caller --roles "Full access"');
    const body = { event: 'Account.create', url: 'https://203.0.114.7/x' };
    const { id } = recordIn(await asNewUser(made.apiKey).post('/Webhook', body));
    const asAdmin = api.as(withPassword(access().admin));
    const reasonOf = async () => recordIn(await asAdmin.get(`/Webhook/${id}`))['inactiveReason'];
    const runDoctor = async () => (await annals('doctor --json')).stdout;
    expect(await reasonOf()).toBeNull();
    expect(await runDoctor()).not.toContain('users are deactivated');
    expect((await annals('user disable caller --yes')).code).toBe(0);
    expect(await reasonOf()).toBe(
      'Nothing is delivered because the user of this webhook is deactivated.',
    );
    const { list } = listIn(await asAdmin.get('/Webhook?select=inactiveReason'));
    expect(list.find((one) => one['id'] === id)).toMatchObject({
      inactiveReason: 'Nothing is delivered because the user of this webhook is deactivated.',
    });
    expect(await runDoctor()).toContain(`because its user is deactivated: ${id}`);
    expect((await annals('user enable caller')).code).toBe(0);
    expect(await reasonOf()).toBeNull();
    expect((await asAdmin.delete(`/Webhook/${id}`)).status).toBe(200);
  });

  it("acl prints a user's effective permissions and warns about unreadable records", async () => {
    const asAdmin = api.as(withPassword(access().admin));
    const own = { create: 'yes', read: 'own', edit: 'own' };
    const fieldData = { Account: { sicCode: { read: 'no', edit: 'no' } } };
    const role = { name: 'Loners', data: { Account: own, Webhook: true }, fieldData };
    expect((await asAdmin.post('/Role', role)).status).toBe(200);
    await json('user create loner --roles Loners');
    const { code, stdout } = await annals('user acl loner');
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      'scope       create  read  edit  delete  stream',
    ]);
    expect(stdout).toMatch(/^Account +yes +own +own +no +own$/m);
    expect(stdout).toMatch(/^granted: Webhook$/m);
    expect(stdout).toMatch(/^no read of Account: sicCode$/m);
    const hidden =
      'Account: loner can create records, but can read them only as the assigned user.';
    expect(stdout).toContain(hidden);
    const { result } = await json('user acl loner');
    expect(result).toMatchObject({ userName: 'loner', acl: { table: { Account: own } } });
    expect(result.notes).toEqual([hidden]);
    expect((await json(`user acl ${access().admin.userName}`)).result.notes).toEqual([]);
  });

  it('rotate sets a new password', async () => {
    const { result } = await json('user rotate anna --yes');
    const login = withPassword({ userName: 'anna', password: result.password });
    expect((await api.as(login).get('/Account')).status).toBe(200);
  });
});
