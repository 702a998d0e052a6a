import { randomUUID } from 'node:crypto';
import { ConfigResourceTypes } from 'kafkajs';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { loadSequences } from '../../services/dispatcher/deliver/numbering/webhook-sequences.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import { decodeReplayProgress, encodeReplayProgress } from '../../shared/events/replay-progress.ts';
import { createAppendMessages } from '../../shared/kafka/append.ts';
import {
  createKafkaConnection,
  createKafkajsClient,
  type KafkaConnection,
} from '../../shared/kafka/connection.ts';
import {
  endOffset,
  ReadBeyondLog,
  type ReadMessage,
  readPartitions,
  startOffset,
} from '../../shared/kafka/read-partitions.ts';
import { readCompacted } from '../../shared/kafka/read-whole.ts';
import { ensureTopics, topicNames } from '../../shared/kafka/topics.ts';
import { createTransactor, type Transactor } from '../../shared/kafka/transactor.ts';
import { eventually } from '../support/eventually.ts';

const log = pino({ level: 'silent' });
const kafka = toKafkaAddress(inject('kafka'), 'kafka-test');
const topics = topicNames(`test-${randomUUID()}`);
const topic = topics.webhookBatches;
const atOnce = { maxWaitMs: 100, maxBytes: 1_000_000, maxBytesPerPartition: 1_000_000 };

let connection: KafkaConnection;
const transactors: Transactor[] = [];

beforeAll(async () => {
  await ensureTopics(kafka, topics, { recordPartitions: 3 }, log);
  connection = createKafkaConnection(kafka, log);
});

afterAll(async () => {
  for (const transactor of transactors) await transactor.close();
  await connection?.close();
});

function openTransactor(transactionalId: string): Transactor {
  const transactor = createTransactor(
    kafka,
    { transactionalId, positionsGroup: `${topics.records}.group` },
    log,
  );
  transactors.push(transactor);
  return transactor;
}

/** Returns the positions by partition of the records topic. */
async function positionsOf(transactor: Transactor): Promise<ReadonlyMap<number, bigint>> {
  const committed = await transactor.positionsWithMetadata(topics.records);
  return new Map(committed.map(({ partition, offset }) => [partition, offset]));
}

const message = (text: string) => ({ key: 'k', value: Buffer.from(text) });
const textOf = ({ value }: ReadMessage) => value?.toString();

const readAll = async (from: string, partition: number) => {
  const end = await endOffset(connection, from, partition);
  const texts: (string | undefined)[] = [];
  for (let offset = 0n; offset < end; ) {
    const [read] = await readPartitions(connection, [{ topic: from, partition, offset }], atOnce);
    if (read === undefined) throw new Error(`nothing to read before the end, at ${offset}`);
    texts.push(...read.messages.map(textOf));
    offset = read.nextOffset;
  }
  return texts;
};

async function describeTopics(
  names = allTopics,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const admin = createKafkajsClient(kafka, log).admin();
  await admin.connect();
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: ConfigResourceTypes.TOPIC, name })),
  });
  await admin.disconnect();
  return new Map(
    resources.map(({ resourceName, configEntries }) => [
      resourceName,
      new Map(configEntries.map(({ configName, configValue }) => [configName, configValue])),
    ]),
  );
}

const allTopics = [
  topics.directory,
  topics.records,
  topics.files,
  topics.webhookBatches,
  ...topics.webhookRetries,
  topics.webhookAttempts,
  topics.webhookDeadLetters,
];

describe('a connection', () => {
  it('tries the other configured brokers if the first is unreachable', async () => {
    const gone = { ...kafka, brokers: ['127.0.0.1:1', 'nowhere.invalid:9092', ...kafka.brokers] };
    const patient = createKafkaConnection(gone, log);
    expect(await patient.partitionsOf(topic)).toBe(3);
    await patient.close();
    expect(await patient.partitionsOf(topic)).toBe(3);
    await patient.close();
  });

  it('fails if no broker responds', async () => {
    const hopeless = createKafkaConnection({ ...kafka, brokers: ['127.0.0.1:1'] }, log);
    await expect(hopeless.partitionsOf(topic)).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe('the topics of Annals', () => {
  it('have the configured partitions, unlimited retention and no compaction', async () => {
    const partitions = await Promise.all(allTopics.map((name) => connection.partitionsOf(name)));
    expect(partitions).toEqual([1, 3, 3, 3, 3, 3, 3, 3, 1]);

    const settings = await describeTopics();
    for (const name of allTopics) {
      expect(Object.fromEntries(settings.get(name) ?? [])).toMatchObject({
        'cleanup.policy': 'delete',
        'retention.ms': '-1',
        'retention.bytes': '-1',
        'unclean.leader.election.enable': 'false',
      });
    }
  });

  it('are compacted if they contain sequences or replays', async () => {
    const names = [topics.webhookSequences, topics.webhookReplays];
    const settings = await describeTopics(names);
    for (const name of names) {
      expect(await connection.partitionsOf(name)).toBe(1);
      expect(settings.get(name)?.get('cleanup.policy')).toBe('compact');
    }
  });

  it('return only the last valid entry of each key if they are compacted', async () => {
    const append = createAppendMessages(connection);
    const progress = { positions: [], events: 1, hidden: 0, batches: 1, isDone: true, samples: [] };
    const note = (key: string, value: Buffer | string) => ({ key, value: Buffer.from(value) });
    await append(topics.webhookReplays, 0, [
      note('a', encodeReplayProgress({ ...progress, isDone: false })),
      note('a', encodeReplayProgress(progress)),
      note('a', 'no progress'),
      note('b', '{}'),
    ]);
    const replays = await readCompacted(connection, topics.webhookReplays, decodeReplayProgress);
    expect([...replays]).toEqual([['a', progress]]);

    await append(topics.webhookSequences, 0, [note('a', '7'), note('a', 'many'), note('b', '')]);
    expect([...(await loadSequences(connection, topics.webhookSequences))]).toEqual([['a', '7']]);
  });

  it('flush every append of the log on a single broker', async () => {
    const settings = await describeTopics();

    for (const name of [topics.directory, topics.records, topics.files]) {
      expect(settings.get(name)?.get('flush.messages')).toBe('1');
    }
  });

  it('stay unchanged when several processes ensure them at the same time', async () => {
    await createAppendMessages(connection)(topics.directory, 0, [message('kept')]);
    const again = { recordPartitions: 7 };
    await Promise.all([1, 2, 3].map(async () => ensureTopics(kafka, topics, again, log)));

    expect(await connection.partitionsOf(topics.records)).toBe(3);
    expect(await readAll(topics.directory, 0)).toEqual(['kept']);
  });

  it('are not created automatically by reads or writes', async () => {
    const missing = `test-${randomUUID()}`;

    await expect(endOffset(connection, missing, 0)).rejects.toThrow();
    await expect(createAppendMessages(connection)(missing, 0, [message('x')])).rejects.toThrow();
    const admin = createKafkajsClient(kafka, log).admin();
    await admin.connect();
    expect(await admin.listTopics()).not.toContain(missing);
    await admin.disconnect();
  });
});

describe('an append', () => {
  it('returns the offset of its first message for each batch', async () => {
    const append = createAppendMessages(connection);
    const first = await append(topics.records, 1, [message('a'), message('b')]);
    const second = await append(topics.records, 1, [message('c')]);

    expect([first, second]).toEqual([0n, 2n]);
    expect(await readAll(topics.records, 1)).toEqual(['a', 'b', 'c']);
    expect(await startOffset(connection, topics.records, 1)).toBe(0n);
  });

  it('writes each batch contiguously during concurrent appends', async () => {
    const others = [1, 2, 3].map(() => createKafkaConnection(kafka, log));
    const offsets = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const own = others[index % 3] ?? connection;
        const texts = [0, 1, 2].map((part) => message(`${index}/${part}`));
        return { index, offset: await createAppendMessages(own)(topics.records, 2, texts) };
      }),
    );
    const stored = await readAll(topics.records, 2);
    await Promise.all(others.map((other) => other.close()));

    expect(stored).toHaveLength(180);
    for (const { index, offset } of offsets) {
      const at = Number(offset);
      expect(stored.slice(at, at + 3)).toEqual([0, 1, 2].map((part) => `${index}/${part}`));
    }
  });

  it('is accepted up to 2 MiB', async () => {
    const text = 'x'.repeat(2 * 1024 * 1024);
    const offset = await createAppendMessages(connection)(topics.records, 0, [message(text)]);

    const [read] = await readPartitions(
      connection,
      [{ topic: topics.records, partition: 0, offset }],
      atOnce,
    );
    expect(read?.messages.map(textOf)).toEqual([text]);
  });
});

describe('a reader', () => {
  it('fails immediately if its position is beyond the end of the log', async () => {
    const position = { topic: topics.records, partition: 1 };
    const end = await endOffset(connection, position.topic, position.partition);
    const reading = readPartitions(connection, [{ ...position, offset: end + 5n }], atOnce);
    await expect(reading).rejects.toThrow(ReadBeyondLog);
    await expect(reading).rejects.toThrow(
      `${topics.records}/1 has the offsets from 0 to ${end}, but the next offset to read is ${end + 5n}`,
    );
  });

  it('returns committed transactions but not aborted ones', async () => {
    const producer = createKafkajsClient(kafka, log).producer({
      transactionalId: randomUUID(),
      maxInFlightRequests: 1,
      idempotent: true,
    });
    await producer.connect();
    for (const [text, isCommitted] of [
      ['one', true],
      ['lost', false],
      ['two', true],
      ['lost too', false],
    ] as const) {
      const transaction = await producer.transaction();
      await transaction.send({ topic, messages: [{ value: text, partition: 0 }] });
      await (isCommitted ? transaction.commit() : transaction.abort());
    }
    await producer.disconnect();

    await eventually(async () => expect(await readAll(topic, 0)).toEqual(['one', 'two']));
  });

  it('returns no messages from an open transaction or after it', async () => {
    const producer = createKafkajsClient(kafka, log).producer({
      transactionalId: randomUUID(),
      maxInFlightRequests: 1,
      idempotent: true,
    });
    await producer.connect();
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: [{ value: 'open', partition: 1 }] });
    await createAppendMessages(connection)(topic, 1, [message('behind')]);
    const before = await endOffset(connection, topic, 1);
    const unread = await readPartitions(connection, [{ topic, partition: 1, offset: 0n }], atOnce);
    await transaction.commit();
    await producer.disconnect();

    expect(before).toBe(0n);
    expect(unread).toEqual([]);
    await eventually(async () => expect(await readAll(topic, 1)).toEqual(['open', 'behind']));
  });
});

describe('a transactor', () => {
  it('leaves no connections behind when it fails to begin', async () => {
    const count = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = count();
    // kafkajs connects first, and only then detects the missing transactional id.
    const transactor = openTransactor('');
    for (let attempt = 0; attempt < 5; attempt++) {
      await expect(transactor.takeOver()).rejects.toThrow(Unavailable);
    }
    await eventually(() => expect(count()).toBeLessThanOrEqual(before));
  });

  const at = (offset: bigint, metadata = '') => ({
    topic: topics.records,
    partition: 1,
    offset,
    metadata,
  });
  const out = (text: string) => ({ topic, partition: 2, ...message(text) });

  // A new broker takes a moment before it can store positions.
  beforeAll(async () =>
    eventually(async () => openTransactor(randomUUID()).commit([], [at(0n)]), {
      timeoutMs: 30_000,
    }),
  );

  it('commits messages and positions together and reads positions with metadata', async () => {
    const transactor = openTransactor(randomUUID());
    await transactor.commit([out('first')], [at(1n, 'token:1')]);
    await transactor.commit([out('second'), out('third')], [at(3n, 'token:3')]);

    expect(await transactor.positionsWithMetadata(topics.records)).toEqual([at(3n, 'token:3')]);
    await eventually(async () =>
      expect(await readAll(topic, 2)).toEqual(['first', 'second', 'third']),
    );
  });

  it('is fenced by its successor and can no longer commit', async () => {
    const id = randomUUID();
    const old = openTransactor(id);
    await old.commit([out('of the old one')], [at(4n)]);
    const successor = openTransactor(id);
    const found = await positionsOf(successor);
    const late = old.commit([out('too late')], [at(9n)]);
    await expect(late).rejects.toThrow(expect.objectContaining({ name: 'TransactionSuperseded' }));
    await successor.commit([out('of the successor')], [at(5n)]);

    expect(found.get(1)).toBe(4n);
    expect(await positionsOf(successor)).toEqual(new Map([[1, 5n]]));
    const stored = await readAll(topic, 2);
    expect(stored.slice(-2)).toEqual(['of the old one', 'of the successor']);
    expect(stored).not.toContain('too late');
  });

  it('aborts the open transaction of a dead predecessor', async () => {
    const transactionalId = randomUUID();
    const dead = createKafkajsClient(kafka, log).producer({
      transactionalId,
      maxInFlightRequests: 1,
      idempotent: true,
    });
    await dead.connect();
    const transaction = await dead.transaction();
    await transaction.send({ topic, messages: [{ value: 'never finished', partition: 2 }] });

    const successor = openTransactor(transactionalId);
    await positionsOf(successor);
    await successor.commit([out('after the dead one')], [at(6n)]);
    await dead.disconnect();

    // The commit is acknowledged before the partitions have its markers.
    await eventually(async () => {
      expect((await readAll(topic, 2)).at(-1)).toBe('after the dead one');
    });
    expect(await readAll(topic, 2)).not.toContain('never finished');
  });
});
