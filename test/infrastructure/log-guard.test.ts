import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { encodeFence } from '../../shared/events/log-entry-codec.ts';
import { LogGuard } from '../../shared/installation/guard-log.ts';
import { markLog } from '../../shared/installation/inspect-log.ts';
import { readMarks } from '../../shared/installation/mark-topic.ts';
import { createAppendMessages } from '../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { withAdmin } from '../../shared/kafka/describe-topics.ts';
import { ensureTopics, type TopicNames, topicNames } from '../../shared/kafka/topics.ts';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase } from '../support/harness/test-database.ts';

const secretKey = '5c'.repeat(32);
const silent = pino({ level: 'silent' });
const kafka = toKafkaAddress(inject('kafka'), 'guard-test');

interface Line {
  readonly reason?: string;
  readonly problem?: string;
  readonly remedy?: string;
}

let topics: TopicNames;
let databaseUrl: string;
let closers: (() => Promise<unknown>)[];

beforeEach(async () => {
  closers = [];
  topics = topicNames(`test-${randomUUID()}`);
  const database = await createTestDatabase(inject('databaseUrl'));
  closers.push(database.drop);
  databaseUrl = database.url;
});

afterEach(async () => {
  for (const close of closers.toReversed()) await close();
});

/** Starts a process; `lines` are its log entries, by default of level error and above. */
function start(
  changes: Partial<ConstructorParameters<typeof LogGuard>[0]> = {},
  level: 'info' | 'error' = 'error',
) {
  const lines: Line[] = [];
  const reports: string[] = [];
  const log = pino({ level }, { write: (line) => void lines.push(JSON.parse(line)) });
  const guard = new LogGuard({
    kafka,
    topics,
    secretKey,
    databaseUrl,
    recordPartitions: 2,
    onLost: (problem) => reports.push(problem),
    onAccepted: (what) => reports.push(what),
    log,
    ...changes,
  });
  closers.push(() => guard.close());
  return { guard, lines, reports };
}

async function begin(): Promise<void> {
  const { guard } = start();
  await guard.opened;
  await guard.close();
}

async function expectRefusal(says: RegExp, changes = {}): Promise<void> {
  const { lines } = start(changes);
  await eventually(() => expect(lines[0]?.reason).toMatch(says));
  expect(lines[0]?.remedy).toMatch(/\w/);
}

async function deleteTopics(names: readonly string[]): Promise<void> {
  await withAdmin(kafka, silent, async (admin) => {
    await admin.deleteTopics({ topics: [...names] });
    await eventually(async () => {
      const left = new Set(await admin.listTopics());
      expect(names.filter((name) => left.has(name))).toEqual([]);
    });
  });
}

const allTopics = (): readonly string[] =>
  Object.values(topics).flatMap((names: string | readonly string[]) => names);

/** Stores positions as a projector does. */
async function storePosition(topic: string, offset: number): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query(`
      create schema if not exists annals;
      create table if not exists annals.positions (topic text, partition integer, next_offset bigint,
        token text, sequence bigint, sealed boolean default false);
      insert into annals.positions values ('${topic}', 0, ${offset}, null, 0, false)`),
  );
}

describe('a new installation', () => {
  it('is marked once by concurrent processes and sealed from the beginning', async () => {
    const processes = [start(), start(), start()];
    const waiting = start({ databaseUrl: undefined });
    await Promise.all([...processes, waiting].map(({ guard }) => guard.opened));

    const marks = await withClient(databaseUrl, (client) =>
      client.query('select mark from annals_installation.marks'),
    );
    expect(marks.rowCount).toBe(1);
    expect([...processes, waiting].map(({ guard }) => guard.seals())).toEqual(Array(4).fill(true));
    expect(waiting.guard.partitionsOf(topics.records)).toBe(2);
    await begin();
  });

  it('is not created by a process without access to the database', async () => {
    const { guard, lines } = start({ databaseUrl: undefined }, 'info');
    await eventually(() => expect(lines[0]?.reason).toMatch(/has no database/));
    await begin();
    await guard.opened;
  });

  it('adopts the unsealed log of a version without marks', async () => {
    await ensureTopics(kafka, topics, { recordPartitions: 2 }, silent);
    const connection = createKafkaConnection(kafka, silent);
    await createAppendMessages(connection)(topics.records, 1, [
      { key: 'a', value: Buffer.from('a') },
    ]);
    await connection.close();
    const { guard } = start();
    await guard.opened;
    expect(guard.seals()).toBe(false);
  });
});

describe('a process that starts on a foreign or damaged log', () => {
  it('refuses to start when all topics were deleted', async () => {
    await begin();
    await deleteTopics(allTopics());
    await expectRefusal(/all topics of this installation are gone/);
    await withAdmin(kafka, silent, async (admin) =>
      expect(await admin.listTopics()).not.toContain(topics.records),
    );
  });

  it.each(['records', 'directory', 'installation', 'webhookAttempts', 'files'] as const)(
    'refuses to start and creates nothing when %s was deleted',
    async (name) => {
      await begin();
      await deleteTopics([topics[name]]);
      await expectRefusal(/is gone/);
      await withAdmin(kafka, silent, async (admin) =>
        expect(await admin.listTopics()).not.toContain(topics[name]),
      );
    },
  );

  it('refuses to start when a topic was deleted and recreated empty', async () => {
    await begin();
    await deleteTopics([topics.records]);
    await ensureTopics(kafka, topics, { recordPartitions: 2 }, silent);
    await expectRefusal(/records was deleted and recreated/);
  });

  it('refuses to start with the tables of a log that does not exist', async () => {
    await storePosition(topics.records, 5);
    await expectRefusal(/has the tables of a log, but this Kafka has none of its topics/);
  });

  it('refuses to start with an older backup of Kafka', async () => {
    await begin();
    await storePosition(topics.records, 7);
    await expectRefusal(/ends at 0, but Postgres has its entries up to 7/);
  });

  it('refuses to start with the Postgres of another installation', async () => {
    await begin();
    topics = topicNames(`test-${randomUUID()}`);
    const other = await createTestDatabase(inject('databaseUrl'));
    closers.push(other.drop);
    const another = start({ databaseUrl: other.url });
    await another.guard.opened;
    await expectRefusal(/belong to different installations/);
  });

  it('refuses to start if a version without codes has written to a sealed log', async () => {
    await begin();
    const connection = createKafkaConnection(kafka, silent);
    closers.push(connection.close);
    const fence = (token: string) => ({
      key: 'fence',
      value: encodeFence({ token, prevToken: null, owner: 'old', address: 'x', occurredAt: 1 }),
    });
    const append = createAppendMessages(connection);
    await append(topics.records, 1, [fence('forged')]);
    const store = (token: string, rejected = '{}') =>
      withClient(databaseUrl, (client) =>
        client.query(
          `create schema if not exists annals;
           create table if not exists annals.positions (
             topic text, partition int, next_offset bigint, token text, sequence bigint, sealed boolean
           );
           create table if not exists annals.rejected_entries (topic text, partition int, log_offset bigint);
           delete from annals.positions;
           delete from annals.rejected_entries;
           insert into annals.rejected_entries select '${topics.records}', 1, unnest('${rejected}'::int[]);
           insert into annals.positions values ('${topics.records}', 1, 1, '${token}', 0, true)`,
        ),
      );
    // Forged entries, which a projector of this version rejects, do not stop the installation.
    await store('another');
    await begin();
    await store('forged', '{0}');
    await begin();
    await store('forged');
    await expectRefusal(new RegExp(`an earlier version of Annals wrote to ${topics.records}/1`));
  });

  it('refuses to start with another secret key', async () => {
    await begin();
    await expectRefusal(/written with a different secret key/, { secretKey: '6d'.repeat(32) });
  });

  it('starts with an empty or older Postgres and fills it from the log', async () => {
    await begin();
    await withClient(databaseUrl, (client) =>
      client.query('drop schema annals_installation cascade'),
    );
    await storePosition(topics.records, 0);
    await begin();
  });

  it('ignores a forged mark', async () => {
    await begin();
    const connection = createKafkaConnection(kafka, silent);
    const forged = { installationId: 'x', generation: 9, revision: 9, clusterId: 'x', topics: {} };
    const value = Buffer.from(JSON.stringify(forged));
    await createAppendMessages(connection)(topics.installation, 0, [{ key: 'mark', value }]);
    await connection.close();
    await begin();
  });
});

describe('a running process', () => {
  it('stops writing after another log is accepted until the process restarts', async () => {
    const { guard, reports } = start();
    await guard.opened;
    const connection = createKafkaConnection(guard.kafka, silent);
    closers.push(() => connection.close());
    const place = { connection, topics, log: silent };
    const { mark } = await readMarks(connection, topics.installation);
    if (mark === undefined) throw new Error('the log has no mark');
    const replaced = await markLog(place, { ...mark, isBeingReplaced: true });
    await eventually(() => expect(guard.problem()).toMatch(/did not finish/));
    const generation = mark.generation + 1;
    await markLog(place, { ...replaced, generation, isBeingReplaced: false });
    await eventually(() => expect(reports.at(-1)).toBe('another log was accepted'));
    expect(guard.problem()).toBe('another log was accepted');
  });

  it('detects added partitions and continues to use the known ones', async () => {
    const { guard, reports, lines } = start();
    await guard.opened;
    await withAdmin(kafka, silent, (admin) =>
      admin.createPartitions({ topicPartitions: [{ topic: topics.records, count: 5 }] }),
    );
    await eventually(() => expect(guard.problem()).toMatch(/was changed from 2 to 5/));
    expect(reports).toEqual([guard.problem()]);
    expect(lines[0]?.remedy).toContain('annals topics accept');
    const connection = createKafkaConnection(guard.kafka, silent);
    expect(await connection.partitionsOf(topics.records)).toBe(2);
    await connection.close();
    await expectRefusal(/was changed from 2 to 5/);
  });

  it('detects a deleted topic even if it is created again', async () => {
    const { guard } = start();
    await guard.opened;
    await deleteTopics([topics.directory]);
    await eventually(() => expect(guard.problem()).toMatch(/directory is gone/));
    await ensureTopics(kafka, topics, { recordPartitions: 2 }, silent);
    await eventually(() => expect(guard.problem()).toMatch(/directory was deleted and recreated/));
  });
});
