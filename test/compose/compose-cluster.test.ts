import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import { withApiKey } from '../support/credentials.ts';
import { becauseOf } from '../support/docker-obstacle.ts';
import { eventually } from '../support/eventually.ts';
import { proveLog } from '../support/prove-writes.ts';
import { type AttemptedWrite, startWriteLoad, type WriteLoad } from '../support/write-load.ts';
import {
  type ComposeProject,
  findComposeObstacle,
  startComposeProject,
} from './compose-project.ts';

const obstacle = await findComposeObstacle();
const because = becauseOf(obstacle);
const { records } = topicNames('annals');
let project: ComposeProject;
let api: ApiClient;

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The longest time in which no write was acknowledged, while the work went on; it begins with some. */
async function longestGapDuring(load: WriteLoad, work: () => Promise<void>): Promise<number> {
  let isOver = false;
  let longest = 0;
  let last = { count: load.acknowledged(), at: Date.now() };
  const watching = (async () => {
    while (!isOver) {
      await sleep(10);
      const now = { count: load.acknowledged(), at: Date.now() };
      longest = Math.max(longest, now.at - last.at);
      if (now.count > last.count) last = now;
    }
  })();
  await work();
  isOver = true;
  await watching;
  return longest;
}

async function progress(load: WriteLoad, count: number): Promise<void> {
  const goal = load.acknowledged() + count;
  await eventually(() => expect(load.acknowledged()).toBeGreaterThanOrEqual(goal), {
    timeoutMs: 60_000,
  });
}

/** Every acknowledged write is in the log once, and Postgres has what the log says. */
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
  });

  afterAll(async () => {
    api?.close();
    await project?.remove();
  });

  it('is healthy within a minute', () => {
    report(`cluster: healthy after ${project.startedWithinMs} ms`);
    expect(project.startedWithinMs).toBeLessThan(60_000);
  });

  it('keeps three replicas of every topic, of which two must have an acknowledged write', async () => {
    const topics = await describeTopics('--topic', records);
    expect(topics).toMatch(/ReplicationFactor: 3/);
    expect(topics).toMatch(/min\.insync\.replicas=2/);
  });

  it('loses no acknowledged write when a broker is killed, each of the three in turn', async () => {
    const load = startWriteLoad(api, writes);
    await progress(load, 300);
    for (const broker of ['kafka-1', 'kafka-2', 'kafka-3']) {
      const gapMs = await longestGapDuring(load, async () => {
        await project.docker('kill', project.containerOf(broker));
        await progress(load, 1_000);
      });
      await project.docker('start', project.containerOf(broker));
      await eventually(async () => expect(await describeTopics(underReplicated)).toBe(''), {
        timeoutMs: 90_000,
        intervalMs: 2_000,
      });
      report(`${broker} killed: longest time without an acknowledged write ${gapMs} ms`);
    }
    await load.stop();
    expect(load.complaints).toEqual([]);
    await prove(writes);
    const unknown = writes.filter(({ outcome }) => outcome === 'unknown').length;
    report(
      `${load.acknowledged()} writes acknowledged, none lost; ${unknown} without a 2xx answer`,
    );
  });

  it('refuses no write while the services are restarted one after the other', async () => {
    const before = writes.length;
    const load = startWriteLoad(api, writes);
    await progress(load, 300);
    const gapMs = await longestGapDuring(load, async () => {
      for (const service of ['api', 'projector', 'dispatcher']) {
        for (const instance of [1, 2]) {
          await project.compose('restart', `${service}-${instance}`);
          await project.untilHealthy(`${service}-${instance}`);
        }
      }
    });
    await load.stop();
    const during = writes.slice(before);
    report(
      `rolling restart: ${during.length} writes, longest time without an acknowledged one ${gapMs} ms`,
    );
    expect(load.complaints).toEqual([]);
    expect(during.filter(({ outcome }) => outcome !== 'acknowledged')).toEqual([]);
    await prove(writes);
  });
});

const underReplicated = '--under-replicated-partitions';

async function describeTopics(...args: readonly string[]): Promise<string> {
  const program = '/opt/kafka/bin/kafka-topics.sh';
  const brokers = 'kafka-1:19092,kafka-2:19092,kafka-3:19092';
  const question = [program, '--bootstrap-server', brokers, '--describe', ...args];
  const broker = 'kafka-1';
  return (await project.compose('exec', '-T', broker, ...question)).trim();
}
