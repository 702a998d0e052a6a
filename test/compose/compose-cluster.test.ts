import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import type { Finding } from '../../services/system/doctor/finding.ts';
import { changeTopicSettings } from '../../shared/kafka/describe-topics.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import { withApiKey } from '../support/credentials.ts';
import { becauseOf } from '../support/docker-obstacle.ts';
import { eventually } from '../support/eventually.ts';
import { proveLog } from '../support/proofs/prove-writes.ts';
import { type AttemptedWrite, startWriteLoad, type WriteLoad } from '../support/write-load.ts';
import {
  type ComposeProject,
  findComposeObstacle,
  startComposeProject,
} from './compose-project.ts';
import { loopsOf } from './lines-of.ts';
import { longestGapDuring } from './longest-gap.ts';

const obstacle = await findComposeObstacle();
const because = becauseOf(obstacle);
const { directory, records } = topicNames('annals');
const patience = { timeoutMs: 90_000, intervalMs: 2_000 };
let project: ComposeProject;
let api: ApiClient;

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function progress(load: WriteLoad, count: number): Promise<void> {
  const goal = load.acknowledged() + count;
  await eventually(() => expect(load.acknowledged()).toBeGreaterThanOrEqual(goal), {
    timeoutMs: 60_000,
  });
}

/** Every acknowledged write is in the log once, and Postgres matches the log. */
async function prove(writes: readonly AttemptedWrite[]): Promise<void> {
  const log = project.readLog();
  await proveLog(log, records, writes);
  await log.close();
  await project.annals('verify');
}

describe.skipIf(obstacle !== undefined)(`docker compose --profile cluster up${because}`, () => {
  const writes: AttemptedWrite[] = [];

  beforeAll(async () => {
    project = await startComposeProject('cluster');
    api = createApiClient(project.url, withApiKey((await project.access()).apiKey));
    report(`cluster: healthy after ${project.startedWithinMs} ms`);
  });

  afterAll(async () => {
    api?.close();
    await project?.remove();
  });

  it('sends reads to the query processes and everything else to the apis', async () => {
    const path = '/Account/only-in-the-log-of-one';
    expect((await api.get(path)).status).toBe(404);
    expect((await api.put(path, { name: 'Nowhere' })).status).toBe(404);
    const requestsOf = async (name: string) =>
      (await project.docker('logs', project.containerOf(name)))
        .split('\n')
        .filter((line) => line.includes(path) && line.includes('"msg":"request"'));
    const [reads, writes] = await Promise.all(
      ['query', 'api'].map(async (service) =>
        (await Promise.all([1, 2].map((each) => requestsOf(`${service}-${each}`)))).flat(),
      ),
    );
    expect(reads).toEqual([expect.stringContaining('"GET"')]);
    expect(writes).toEqual([expect.stringContaining('"PUT"')]);
  });

  it('keeps three replicas of every topic and requires two for a write', async () => {
    const topics = await describeTopics('--topic', records);
    expect(topics).toMatch(/ReplicationFactor: 3/);
    expect(topics).toMatch(/min\.insync\.replicas=2/);
  });

  it('reports a missing broker to operators and accepts writes without it', async () => {
    await eventually(async () => expect(await findings()).toEqual([]), patience);
    await project.compose('stop', 'kafka-3');
    await eventually(async () => {
      expect(await findings()).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^warning Kafka does not respond at kafka-3:19092 \(/),
          'warning Kafka has 2 of 3 brokers in service, without number 3.',
          expect.stringMatching(/^warning Each of .*, \d+ more lacks replicas in sync[.]$/),
        ]),
      );
    }, patience);
    expect((await findings()).filter((line) => line.startsWith('fault'))).toEqual([]);
    const load = startWriteLoad(api, writes);
    await progress(load, 100);
    await load.stop();
    expect(JSON.parse(await project.annals('status', '--json'))).toMatchObject({ rejected: [] });
    await project.compose('start', 'kafka-3');
    await eventually(async () => expect(await findings()).toEqual([]), patience);
  });

  it('reports settings that endanger the log and resets them with topics repair', async () => {
    const address = toKafkaAddress(project.kafka, 'compose-test');
    const log = pino({ level: 'silent' });
    const dangerous = { 'cleanup.policy': 'compact,delete', 'retention.ms': '604800000' };
    const unsafe = { 'unclean.leader.election.enable': 'true', 'min.insync.replicas': '1' };
    const changes = new Map([
      [records, new Map(Object.entries(dangerous))],
      [directory, new Map(Object.entries(unsafe))],
    ]);
    await changeTopicSettings(address, changes, log);
    const reported = (await findings()).map((line) => line.replace(/ instead of .*/, ''));
    expect(reported.toSorted()).toEqual([
      `fault The topic ${directory} has unclean.leader.election.enable=true`,
      `fault The topic ${records} has cleanup.policy=compact,delete`,
      `fault The topic ${records} has retention.ms=604800000`,
      `warning The topic ${directory} has min.insync.replicas=1`,
    ]);
    await expect(project.annals('topics', 'check')).rejects.toThrow(/cleanup\.policy=compact/);
    await project.annals('topics', 'repair', '--yes');
    expect(await project.annals('topics', 'check')).toBe('All topics are correct.\n');
    expect(await findings()).toEqual([]);
  });

  it('loses no acknowledged write when each of the three brokers is killed in turn', async () => {
    const load = startWriteLoad(api, writes);
    await progress(load, 300);
    for (const broker of ['kafka-1', 'kafka-2', 'kafka-3']) {
      const gapMs = await longestGapDuring(load, async () => {
        await project.docker('kill', project.containerOf(broker));
        await progress(load, 1_000);
      });
      await project.docker('start', project.containerOf(broker));
      await eventually(
        async () => expect(await describeTopics(underReplicated)).toBe(''),
        patience,
      );
      report(`${broker} killed: longest time without an acknowledged write ${gapMs} ms`);
    }
    await load.stop();
    expect(load.complaints).toEqual([]);
    await prove(writes);
    const unknown = writes.filter(({ outcome }) => outcome === 'unknown').length;
    report(
      `${load.acknowledged()} writes acknowledged, none lost; ${unknown} without a 2xx response`,
    );
  });

  it('rejects no write during a rolling upgrade of the services', async () => {
    const [loop = ''] = loopsOf('Upgrading the cluster');
    expect(loop).toContain('--no-deps');
    const images = await imagesOf(services);
    // Corresponds to a `build` of a newer checkout.
    await project.runLines(`echo 'FROM annals:0.2.0
      LABEL newer=yes' | docker build --quiet --tag annals:0.2.0 -`);
    const before = writes.length;
    const load = startWriteLoad(api, writes);
    await progress(load, 300);
    const gapMs = await longestGapDuring(load, async () => {
      await project.runLines(loop);
    });
    await load.stop();
    const during = writes.slice(before);
    report(
      `rolling upgrade: ${during.length} writes, longest time without an acknowledged one ${gapMs} ms`,
    );
    expect(load.complaints).toEqual([]);
    expect(during.filter(({ outcome }) => outcome !== 'acknowledged')).toEqual([]);
    expect((await imagesOf(services)).filter((image) => images.includes(image))).toEqual([]);
    await prove(writes);
  });
});

const services = ['api', 'query', 'projector', 'dispatcher'].flatMap((service) => [
  `${service}-1`,
  `${service}-2`,
]);

async function imagesOf(names: readonly string[]): Promise<readonly string[]> {
  const containers = names.map((name) => project.containerOf(name));
  const answer = await project.docker('inspect', '--format', '{{.Image}}', ...containers);
  return answer.trim().split('\n');
}

/** Returns the problems that `annals doctor` finds. */
async function findings(): Promise<readonly string[]> {
  const answer = await project.compose(
    ...['exec', '-T', 'api-1', 'sh', '-c', 'annals doctor --json || true'],
  );
  const { findings: all }: { readonly findings: readonly Finding[] } = JSON.parse(answer);
  return all.flatMap(({ verdict, says }) => (verdict === 'ok' ? [] : [`${verdict} ${says}`]));
}

const underReplicated = '--under-replicated-partitions';

async function describeTopics(...args: readonly string[]): Promise<string> {
  const program = '/opt/kafka/bin/kafka-topics.sh';
  const brokers = 'kafka-1:19092,kafka-2:19092,kafka-3:19092';
  const login = ['--command-config', '/mnt/shared/config/client.properties'];
  const question = [program, '--bootstrap-server', brokers, ...login, '--describe', ...args];
  const broker = 'kafka-1';
  return (await project.compose('exec', '-T', broker, ...question)).trim();
}
