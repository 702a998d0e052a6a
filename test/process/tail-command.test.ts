import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { toKafkaVariables } from '../../infra/local/kafka/kafka-access.ts';
import { aCreation, anUpdateAfter } from '../support/builders/record-event-builder.ts';
import { eventually } from '../support/eventually.ts';
import {
  createProjectorHarness,
  type ProjectorHarness,
} from '../support/harness/projector-harness.ts';
import { type RunningCli, runCli, startCli } from '../support/harness/run-cli.ts';

let harness: ProjectorHarness;
let database: string;
let running: RunningCli | undefined;
const before = { occurredAt: Date.UTC(2020, 0, 2) };

beforeEach(async () => {
  harness = await createProjectorHarness(inject('kafka'), inject('databaseUrl'));
  database = await harness.createDatabase();
  for (const script of [harness.directory, ...harness.records]) await script.fence();
  await harness.directory.events(aCreation('User', { userName: 'ann' }, { recordId: 'anns-id' }));
  await harness.records[0]?.events(
    ...Array.from({ length: 20 }, () => aCreation('Account', {}, before)),
  );
  await harness.records[1]?.events(aCreation('Contact', {}, { ...before, actorId: 'anns-id' }));
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  await harness.close();
});

const environment = (): NodeJS.ProcessEnv => ({
  ...toKafkaVariables(inject('kafka')),
  DATABASE_URL: database,
  ANNALS_TOPIC_PREFIX: harness.topics.records.replace('.records', ''),
});

/** Writes current changes until one is printed, fewer than 20; returns the output. */
async function untilShown({ stdout }: RunningCli): Promise<string> {
  return eventually(
    async () => {
      const now = { occurredAt: Date.now() };
      await harness.records[0]?.events(aCreation('Account', { name: 'Now' }, now));
      expect(stdout()).toContain('\n');
      return stdout();
    },
    { intervalMs: 1_600, timeoutMs: 30_000 },
  );
}

async function project(): Promise<void> {
  const projector = harness.startProjector(database);
  await harness.untilProjected(database);
  await projector.close();
}

it('annals tail starts at the position and the fold state in Postgres', async () => {
  await project();
  running = startCli(['tail', '--json'], environment());
  const [first = ''] = (await untilShown(running)).split('\n');
  expect(JSON.parse(first)).toMatchObject({ entityType: 'Account', type: 'Created' });
  const notes = running
    .stderr()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  // Entries written since the start may be read; the 23 earlier entries are not.
  expect(notes.filter(({ total }) => total >= 20)).toEqual([]);
});

it.each(['no read model', 'no Postgres'])(
  'annals tail reports reading the whole log first with %s',
  async (lack) => {
    const away = { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/a' };
    running = startCli(['tail', '--json'], {
      ...environment(),
      ...(lack === 'no Postgres' ? away : {}),
    });
    const shown = await untilShown(running);
    expect(
      shown
        .split('\n')
        .filter(Boolean)
        .every((line) => line.includes('"Now"')),
    ).toBe(true);
    const [note = ''] = running.stderr().split('\n');
    expect(JSON.parse(note)).toMatchObject({ progress: 'Reading the log' });
    expect(JSON.parse(note).total).toBeGreaterThanOrEqual(23);
  },
);

it('annals tail --no-follow prints past events from the beginning of the log', async () => {
  await project();
  const tail = async (...args: readonly string[]) => {
    const { code, stdout } = await runCli(
      ['tail', '--no-follow', '--json', ...args],
      environment(),
    );
    expect(code).toBe(0);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  expect(await tail()).toHaveLength(21);
  expect(await tail('--from', '2020-01-01')).toHaveLength(21);
  expect(await tail('--from', '2020-01-03')).toHaveLength(0);
  expect(await tail('--entity', 'Account', '--type', 'Created')).toHaveLength(20);
  expect(await tail('--type', 'deleted')).toHaveLength(0);
  expect(await tail('--user', 'ann')).toMatchObject([{ entityType: 'Contact' }]);
  expect(await tail('--user', 'anns-id')).toHaveLength(1);
});

it('annals tail --no-follow prints one past event per line in order of time', async () => {
  const at = (minute: number) => ({ occurredAt: Date.UTC(2031, 0, 1, 0, minute) });
  const acme = aCreation('Account', { name: 'Acme\nLtd' }, { ...at(1), actorId: 'anns-id' });
  await harness.records[1]?.events(
    aCreation('Case', { name: 'C', accountId: acme.recordId }, at(2)),
  );
  await harness.records[0]?.events(
    acme,
    anUpdateAfter(
      acme,
      {},
      {
        ...at(3),
        actorId: 'anns-id',
        changes: [{ attribute: 'website', before: null, after: 'https://acme.example' }],
      },
    ),
  );
  await harness.records[1]?.events(aCreation('Contact', { name: 'Bo' }, at(4)));
  const { code, stdout } = await runCli(
    ['tail', '--no-follow', '--from', '2031-01-01'],
    environment(),
  );
  expect(code).toBe(0);
  const account = `Account "Acme\\nLtd" (${acme.recordId})`;
  expect(stdout.split('\n')).toEqual([
    `2031-01-01T00:01:00.000Z ${account} v1 created by "ann" (anns-id): name "Acme\\nLtd"`,
    expect.stringMatching(
      `^2031-01-01T00:02:00.000Z Case "C" .* v1 created by admin: name "C", accountId "Acme`,
    ),
    `2031-01-01T00:03:00.000Z ${account} v2 updated by "ann" (anns-id): website null → "https://acme.example"`,
    expect.stringMatching('^2031-01-01T00:04:00.000Z Contact "Bo" .* v1 created by admin'),
    '',
  ]);
});

it('annals tail reads names from Postgres that later events lack', async () => {
  const old = aCreation('Account', { name: 'Known' }, before);
  await harness.records[0]?.events(old);
  await project();
  running = startCli(['tail', '--id', old.recordId], environment());
  const { stdout } = running;
  let version = old;
  await eventually(
    async () => {
      version = anUpdateAfter(version, { website: 'x' }, { occurredAt: Date.now() });
      await harness.records[0]?.events(version);
      expect(stdout()).toContain(`Account "Known" (${old.recordId}) v`);
    },
    { intervalMs: 1_600, timeoutMs: 30_000 },
  );
});

it.each([
  [
    ['--entity', 'Nonsense'],
    /^error: Entity type Nonsense does not exist[.] Entity types: Account, [^\n]+\n/,
  ],
  [['--entity', 'User'], /^error: User belongs to the directory; [^\n]+\n/],
  [['--user', 'nobody'], /^error: User nobody does not exist: [^\n]+\n/],
])('annals tail rejects %j because it would never match', async (args, sentence) => {
  const { code, stdout, stderr } = await runCli(['tail', ...args], environment());
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(sentence);
});
