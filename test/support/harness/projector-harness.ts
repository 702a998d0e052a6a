import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { pino } from 'pino';
import { expect } from 'vitest';
import { type KafkaAccess, toKafkaAddress } from '../../../infra/local/kafka/kafka-access.ts';
import { withClient } from '../../../infra/local/postgres/find-database-fault.ts';
import { Projector } from '../../../services/projector/consume/projector.ts';
import type { RebuildDeps } from '../../../services/projector/rebuild/rebuild-read-model.ts';
import { createClient } from '../../../shared/db/pool.ts';
import { followDirectory } from '../../../shared/directory/directory-follower.ts';
import { createAppendMessages } from '../../../shared/kafka/append.ts';
import { createKafkaConnection, type KafkaAddress } from '../../../shared/kafka/connection.ts';
import { endOffset } from '../../../shared/kafka/read-partitions.ts';
import { ensureTopics, type TopicNames, topicNames } from '../../../shared/kafka/topics.ts';
import { projectorContext } from '../builders/projector-context.ts';
import { eventually } from '../eventually.ts';
import { createLogScript, type LogScript } from '../log/log-script.ts';
import { createTestDatabase } from './test-database.ts';

type Row = Readonly<Record<string, unknown>>;

/** Projectors on their own topics and databases. */
export interface ProjectorHarness {
  readonly topics: TopicNames;
  readonly directory: LogScript;
  /** By partition. */
  readonly records: readonly LogScript[];
  /** Creates an empty database, which the harness drops, and returns its URL. */
  createDatabase(): Promise<string>;
  startProjector(databaseUrl: string): { close(): Promise<void> };
  /** Opens the dependencies of a rebuild, to be closed afterwards. */
  openRebuild(databaseUrl: string): RebuildDeps & { close(): Promise<void> };
  /** Waits until the database has all entries of the topics. */
  untilProjected(databaseUrl: string): Promise<void>;
  query(databaseUrl: string, sql: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

const silent = pino({ level: 'silent' });

export async function createProjectorHarness(
  access: KafkaAccess,
  serverUrl: string,
  partitions = 2,
): Promise<ProjectorHarness> {
  const kafka = toKafkaAddress(access, 'projector-test');
  const topics = topicNames(`test-${randomUUID()}`);
  await ensureTopics(kafka, topics, { recordPartitions: partitions }, silent);
  const connection = createKafkaConnection(kafka, silent);
  const append = createAppendMessages(connection);
  const databases: { drop(): Promise<void> }[] = [];
  const running = new Set<{ close(): Promise<void> }>();

  return {
    topics,
    directory: createLogScript({ append, topic: topics.directory, partition: 0 }),
    records: Array.from({ length: partitions }, (_, partition) =>
      createLogScript({ append, topic: topics.records, partition }),
    ),
    async createDatabase() {
      const database = await createTestDatabase(serverUrl);
      databases.push(database);
      return database.url;
    },
    startProjector(databaseUrl) {
      const projector = startProjector({ kafka, topics, partitions, databaseUrl });
      running.add(projector);
      return projector;
    },
    openRebuild: (url) => openRebuild({ kafka, topics, url }),
    async untilProjected(databaseUrl) {
      const ends = await readEnds(connection, topics, partitions);
      await eventually(async () => {
        const found = await query(
          databaseUrl,
          'select topic, partition, next_offset from annals.positions order by 1, 2',
        );
        expect(found).toEqual(ends);
      });
    },
    query,
    async close() {
      await Promise.all([...running].map((projector) => projector.close()));
      await connection.close();
      for (const database of databases) await database.drop();
    },
  };
}

interface ProjectorPlace {
  readonly kafka: KafkaAddress;
  readonly topics: TopicNames;
  readonly partitions: number;
  readonly databaseUrl: string;
}

function startProjector({ kafka, topics, partitions, databaseUrl }: ProjectorPlace) {
  const follower = followDirectory(kafka, topics.directory, silent);
  const projector = new Projector(projectorContext({ kafka, topics, databaseUrl, follower }));
  const records = Array.from({ length: partitions }, (_, index) => `${topics.records}/${index}`);
  projector.assign(new Set([`${topics.directory}/0`, ...records]));
  let closing: Promise<void> | undefined;
  return {
    async close() {
      closing ??= Promise.all([projector.close(), follower.close()]).then(() => {});
      await closing;
    },
  };
}

function openRebuild({
  kafka,
  topics,
  url,
}: Pick<ProjectorPlace, 'kafka' | 'topics'> & { readonly url: string }) {
  const follower = followDirectory(kafka, topics.directory, silent);
  const connection = createKafkaConnection(kafka, silent);
  return {
    kafka: connection,
    follower,
    source: { kafka, topics, secretKey: undefined, databaseUrl: url },
    signal: new AbortController().signal,
    connect: async () => connect(url),
    onProgress: () => {},
    log: silent,
    async close() {
      await Promise.all([follower.close(), connection.close()]);
    },
  };
}

async function connect(url: string): Promise<Client> {
  const client = createClient({ url, applicationName: 'projector-test' });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function query(databaseUrl: string, sql: string): Promise<readonly Row[]> {
  return withClient(databaseUrl, async (client) => (await client.query<Row>(sql)).rows);
}

async function readEnds(
  connection: ReturnType<typeof createKafkaConnection>,
  topics: ProjectorHarness['topics'],
  partitions: number,
): Promise<readonly Row[]> {
  const places = [
    { topic: topics.directory, partition: 0 },
    ...Array.from({ length: partitions }, (_, partition) => ({ topic: topics.records, partition })),
  ];
  return Promise.all(
    places.map(async ({ topic, partition }) => {
      const end = await endOffset(connection, topic, partition);
      return { topic, partition, next_offset: String(end) };
    }),
  );
}
