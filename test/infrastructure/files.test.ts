import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { runFiles } from '../../services/projector/files/run-files.ts';
import type { SecondaryProjection } from '../../services/projector/secondary/run-secondary-projection.ts';
import { createPool } from '../../shared/db/pool.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import { createAppendFile } from '../../shared/files/append-file.ts';
import { createFileReads } from '../../shared/files/file-reads.ts';
import type { PutFile } from '../../shared/files/file-store.ts';
import { countStoredBytes } from '../../shared/files/log-chunks.ts';
import { createAppendMessages } from '../../shared/kafka/append.ts';
import { createKafkaConnection, type KafkaAddress } from '../../shared/kafka/connection.ts';
import { ensureTopics, type TopicNames, topicNames } from '../../shared/kafka/topics.ts';
import { projectorContext } from '../support/builders/projector-context.ts';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase } from '../support/harness/test-database.ts';

const silent = pino({ level: 'silent' });

let kafka: KafkaAddress;
let topics: TopicNames;
let connection: ReturnType<typeof createKafkaConnection>;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: ReturnType<typeof createPool>;
let appendFile: PutFile;
const running: SecondaryProjection[] = [];
const bugs: unknown[] = [];

beforeEach(async () => {
  kafka = toKafkaAddress(inject('kafka'), 'files-test');
  topics = topicNames(`test-${randomUUID()}`);
  await ensureTopics(kafka, topics, { recordPartitions: 2 }, silent);
  connection = createKafkaConnection(kafka, silent);
  appendFile = createAppendFile(
    { kafka: connection, topic: topics.files, requireRoom: () => undefined },
    () => undefined,
  );
  database = await createTestDatabase(inject('databaseUrl'));
  pool = createPool({ url: database.url, poolSize: 2, applicationName: 'files-test' });
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((projection) => projection.close()));
  await pool.end();
  await connection.close();
  await database.drop();
  expect(bugs.splice(0)).toEqual([]);
});

function start(): SecondaryProjection {
  const context = { kafka, topics, databaseUrl: database.url };
  const projection = runFiles(projectorContext({ ...context, crash: (error) => bugs.push(error) }));
  projection.assign(true);
  running.push(projection);
  return projection;
}

function aFile(size: number) {
  const content = randomBytes(size);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { content, sha256, size, pieces: [content] };
}

async function read(sha256: string, from: number, to: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const reads = createFileReads(pool, undefined);
  for await (const piece of reads.read({ sha256, size: to }, { from, to })) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function untilStored({ sha256, content }: ReturnType<typeof aFile>): Promise<void> {
  await eventually(async () => expect(await countStoredBytes(pool, sha256)).toBe(content.length), {
    timeoutMs: 30_000,
  });
}

it('files are stored once for any number of appends and can be read in any part', async () => {
  const file = aFile(3 * 1024 * 1024 + 5);
  await appendFile(file);
  start();
  await untilStored(file);
  await appendFile(file);
  const later = aFile(10);
  await appendFile(later);
  await untilStored(later);
  expect(await countStoredBytes(pool, file.sha256)).toBe(file.content.length);
  const size = file.content.length;
  const edge = 512 * 1024;
  for (const [from, to] of [
    [0, size],
    [edge - 1, edge + 1],
    [edge, 2 * edge],
    [size - 1, size],
    [1, 2],
  ] as const) {
    expect((await read(file.sha256, from, to)).equals(file.content.subarray(from, to))).toBe(true);
  }
  await expect(read(file.sha256, 0, size + 1)).rejects.toThrow(/gap/);
});

it('files are stored once by two projectors that both own the topic', async () => {
  start();
  start();
  const files = Array.from({ length: 12 }, () => aFile(700_000));
  await Promise.all(files.map(async (file) => appendFile(file)));
  for (const file of files) await untilStored(file);
  const { rows } = await pool.query('select sha256, start from annals_files.chunks');
  expect(rows).toHaveLength(24);
});

it.each(['schema annals_files cascade', 'table annals_files.chunks'])(
  'files are restored after drop %s, even without new entries',
  async (dropped) => {
    const file = aFile(600_000);
    await appendFile(file);
    start();
    await untilStored(file);
    await withClient(database.url, async (client) => {
      await client.query(`drop ${dropped}`);
    });
    await untilStored(file);
  },
);

it('file storage continues after an invalid chunk', async () => {
  start();
  const append = createAppendMessages(connection);
  for (const partition of [0, 1]) {
    await append(topics.files, partition, [{ key: 'x', value: Buffer.from('no chunk') }]);
  }
  const file = aFile(5);
  await appendFile(file);
  await untilStored(file);
});

it('a file upload fails while Kafka is unavailable', async () => {
  const nowhere = createKafkaConnection({ ...kafka, brokers: ['127.0.0.1:1'] }, silent);
  const append = createAppendFile(
    { kafka: nowhere, topic: topics.files, requireRoom: () => undefined },
    () => undefined,
  );
  await expect(append(aFile(5))).rejects.toThrow(Unavailable);
  await nowhere.close();
});
