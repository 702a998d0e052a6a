import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findDatabaseFault } from '../../infra/local/postgres/find-database-fault.ts';
import { readEnv } from '../../shared/config/env.ts';
import { readKafkaSecurity } from '../../shared/config/kafka-security.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import { createAppendMessages } from '../../shared/kafka/append.ts';
import { createKafkaConnection, type KafkaAddress } from '../../shared/kafka/connection.ts';
import { describeBrokers, readBrokerClock } from '../../shared/kafka/describe-cluster.ts';
import {
  changeTopicSettings,
  describeTopics,
  withAdmin,
} from '../../shared/kafka/describe-topics.ts';
import { joinGroup } from '../../shared/kafka/group/group-member.ts';
import type { GroupAssignment } from '../../shared/kafka/group/member-metadata.ts';
import { describeGroups } from '../../shared/kafka/group/service-groups.ts';
import { endOffset, readPartitions } from '../../shared/kafka/read-partitions.ts';
import { ensureTopics, topicNames } from '../../shared/kafka/topics.ts';
import { createTransactor } from '../../shared/kafka/transactor.ts';
import { eventually } from '../support/eventually.ts';
import { readDocumentedRights } from '../support/harness/documented-rights.ts';
import { runCli } from '../support/harness/run-cli.ts';
import { spawnDispatcher } from '../support/harness/spawn-dispatcher.ts';
import {
  account,
  type SecuredKafka,
  startSecuredKafka,
  stranger,
} from '../support/harness/start-secured-kafka.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';

const log = pino({ level: 'silent' });
const prefix = 'secured';
const topics = topicNames(prefix);
const atOnce = { maxWaitMs: 100, maxBytes: 1_000_000, maxBytesPerPartition: 1_000_000 };

type Variables = Readonly<Record<string, string | undefined>>;

let dataDir: string;
let kafka: SecuredKafka;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  dataDir = makeTestDirectory();
  kafka = await startSecuredKafka(dataDir, readDocumentedRights(prefix));
  await ensureTopics(addressOf(), topics, { recordPartitions: 2 }, log);
});

afterAll(async () => {
  for (const close of closers.toReversed()) await close();
  await kafka?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Settings as an operator would set them for this broker. */
const variables = (changed: Variables = {}): Variables => ({
  KAFKA_BROKERS: kafka.secured,
  KAFKA_TLS: 'true',
  KAFKA_TLS_CA_FILE: kafka.files.authority,
  KAFKA_SASL_MECHANISM: 'scram-sha-512',
  KAFKA_SASL_USERNAME: account.userName,
  KAFKA_SASL_PASSWORD: account.password,
  ...changed,
});

const noAccount = { KAFKA_SASL_MECHANISM: '', KAFKA_SASL_USERNAME: '', KAFKA_SASL_PASSWORD: '' };

function addressOf(changed: Variables = {}): KafkaAddress {
  const read = readEnv(variables(changed));
  const brokers = read.list('KAFKA_BROKERS');
  const security = readKafkaSecurity(read, brokers);
  read.done();
  return { brokers, security, clientId: 'security-test' };
}

function connect(changed: Variables = {}) {
  const connection = createKafkaConnection(addressOf(changed), log);
  closers.push(connection.close);
  return connection;
}

async function refusalOf(changed: Variables): Promise<Unavailable> {
  const refusal = await connect(changed)
    .open()
    .catch((error: unknown) => error);
  if (!(refusal instanceof Unavailable)) throw new Error('the login was accepted');
  return refusal;
}

const message = (text: string) => ({ key: 'k', value: Buffer.from(text) });

describe('a user with the documented ACLs, over TLS', () => {
  it('can append and read', async () => {
    const connection = connect();
    const offset = await createAppendMessages(connection)(topics.records, 0, [message('one')]);
    const position = { topic: topics.records, partition: 0, offset };
    const [read] = await readPartitions(connection, [position], atOnce);
    expect(read?.messages.map(({ value }) => value?.toString())).toEqual(['one']);
  });

  it('can commit transactions with positions and take them over', async () => {
    const options = {
      transactionalId: `${prefix}.dispatcher.test`,
      positionsGroup: `${prefix}.test`,
    };
    const [first, second] = [1, 2].map(() => createTransactor(addressOf(), options, log));
    if (first === undefined || second === undefined) throw new Error('both transactors must exist');
    closers.push(first.close, second.close);
    const batch = { ...message('batch'), topic: topics.webhookBatches, partition: 1 };
    const position = { topic: topics.records, partition: 0, offset: 7n };
    // The coordinator of a new broker takes a moment to become available.
    await eventually(() => first.commit([batch], [position]));
    const committed = await second.positionsWithMetadata(topics.records);
    const positions = new Map(committed.map(({ partition, offset }) => [partition, offset]));
    expect(positions).toEqual(new Map([[0, 7n]]));
    await second.takeOver();
    await expect(first.commit([batch], [])).rejects.toThrow('fenced');
  });

  it('can join groups and keeps its connections after its SASL session expires', async () => {
    const assignments: GroupAssignment[] = [];
    const groupId = `${prefix}.test-members`;
    const member = joinGroup(
      addressOf(),
      {
        groupId,
        resources: ['one'],
        address: 'here',
        claims: () => new Map(),
        onAssigned: (assignment) => void assignments.push(assignment),
        crash: (error) => expect(error).toBeUndefined(),
      },
      log,
    );
    closers.push(member.close);
    await eventually(() => expect(assignments.at(-1)?.mine).toEqual(new Set(['one'])));
    const groups = await describeGroups(addressOf(), [groupId], log);
    expect(groups.get(groupId)?.members).toEqual(['here']);

    const connection = connect();
    const append = createAppendMessages(connection);
    const start = await endOffset(connection, topics.records, 1);
    const until = Date.now() + 14_000;
    let count = 0n;
    while (Date.now() < until) {
      expect(await append(topics.records, 1, [message('again')])).toBe(start + count);
      count += 1n;
      const position = { topic: topics.records, partition: 1, offset: start };
      expect(await readPartitions(connection, [position], atOnce)).toHaveLength(1);
      expect(member.isConnected()).toBe(true);
      await sleep(20);
    }
    expect(assignments).toHaveLength(1);
  });

  it('can repair topic settings, delete processed entries and read broker settings', async () => {
    const address = addressOf();
    const retention = new Map([['retention.ms', '-1']]);
    await changeTopicSettings(address, new Map([[topics.files, retention]]), log);
    const wanted = [topics.files, '__consumer_offsets', '__transaction_state'];
    const found = await describeTopics(address, wanted, log);
    expect(found.topics.map(({ topic }) => topic).toSorted()).toEqual(wanted.toSorted());
    expect((await describeBrokers(address, log))[0]?.settings.size).toBeGreaterThan(10);
    const topic = topics.webhookRetries[0];
    await createAppendMessages(connect())(topic, 0, [message('passed')]);
    await withAdmin(address, log, async (admin) => {
      await admin.fetchTopicMetadata({ topics: [topic] });
      await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '1' }] });
    });
    const clockRequest = { groupId: `${prefix}.doctor`, topic: topics.directory };
    const { broker, before, after } = await readBrokerClock(connect(), clockRequest);
    expect(broker).toBeGreaterThan(before - 1_000);
    expect(broker).toBeLessThan(after + 1_000);
  });

  it('has no other permissions', async () => {
    const other = `other-${prefix}`;
    await expect(
      ensureTopics(addressOf(), topicNames(other), { recordPartitions: 1 }, log),
    ).rejects.toMatchObject({
      message: expect.stringContaining('authoriz'),
      remedy: expect.stringContaining('docs/operations/install.md'),
    });
  });
});

describe('other authentication methods', () => {
  it('include SASL PLAIN over TLS and client certificates', async () => {
    const plain = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_PASSWORD: 'plain-secret' };
    expect(await connect(plain).partitionsOf(topics.records)).toBe(2);
    const certificate = {
      KAFKA_BROKERS: kafka.mutual,
      ...noAccount,
      KAFKA_TLS_CERT_FILE: kafka.files.clientCertificate,
      KAFKA_TLS_KEY_FILE: kafka.files.clientKey,
    };
    expect(await connect(certificate).partitionsOf(topics.records)).toBe(2);
  });
});

describe('a rejected client', () => {
  it('gets an error with the setting to fix but without the password', async () => {
    const cases: readonly (readonly [Variables, string])[] = [
      [{ KAFKA_SASL_PASSWORD: 'wrong-secret' }, 'KAFKA_SASL_PASSWORD'],
      [{ KAFKA_SASL_USERNAME: 'nobody' }, 'KAFKA_SASL_USERNAME'],
      [{ KAFKA_SASL_MECHANISM: 'scram-sha-256' }, 'sasl.enabled.mechanisms'],
      [
        { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_PASSWORD: 'wrong-secret' },
        'KAFKA_SASL_PASSWORD',
      ],
      [{ KAFKA_TLS_CA_FILE: '' }, 'KAFKA_TLS_CA_FILE'],
      [{ KAFKA_BROKERS: kafka.secured.replace('localhost', '127.0.0.1') }, 'KAFKA_BROKERS'],
      [{ KAFKA_BROKERS: kafka.mutual, ...noAccount }, 'KAFKA_TLS_CERT_FILE'],
      [
        { KAFKA_BROKERS: kafka.open, KAFKA_TLS: 'false', KAFKA_TLS_CA_FILE: '' },
        'KAFKA_SASL_MECHANISM',
      ],
    ];
    for (const [changed, variable] of cases) {
      const { message: reason, remedy } = await refusalOf(changed);
      expect({ changed, reason, remedy }).toMatchObject({
        remedy: expect.stringContaining(variable),
      });
      expect(`${reason} ${remedy}`).not.toContain('secret');
    }
  });

  it('receives the requirements of a listener that only closes the connection', async () => {
    const inTheClear = { KAFKA_TLS: 'false', KAFKA_TLS_CA_FILE: '' };
    const { host } = new URL(inject('databaseUrl'));
    const cases: readonly (readonly [Variables, string, string])[] = [
      [noAccount, 'requires SASL (SCRAM-SHA-512, PLAIN)', 'KAFKA_SASL_USERNAME'],
      [inTheClear, 'requires TLS', 'KAFKA_TLS=true'],
      [
        { ...inTheClear, ...noAccount, KAFKA_BROKERS: host },
        'a Postgres server listens at this address',
        'correct the host and the port in KAFKA_BROKERS',
      ],
    ];
    for (const [changed, says, remedy] of cases) {
      expect(await refusalOf(changed)).toMatchObject({
        message: expect.stringContaining(says),
        remedy: expect.stringContaining(remedy),
      });
    }
    expect(await findDatabaseFault(`postgres://a:b@${kafka.open}/a`)).toEqual({
      reason: 'a Kafka broker listens at this address, not Postgres',
      remedy: 'correct the host and the port in DATABASE_URL',
    });
  });

  it('gets an error with a remedy if its ACLs are missing', async () => {
    const connection = connect({ KAFKA_SASL_USERNAME: stranger });
    await expect(connection.partitionsOf(topics.records)).rejects.toMatchObject({
      remedy: expect.stringContaining('docs/operations/install.md'),
    });
  });

  it('fails within 5 s if only one side uses TLS', async () => {
    const inTheClear = {
      KAFKA_TLS: 'false',
      KAFKA_TLS_CA_FILE: '',
    };
    for (const changed of [inTheClear, { KAFKA_BROKERS: kafka.open }]) {
      const startedAt = Date.now();
      await refusalOf(changed);
      expect(Date.now() - startedAt).toBeLessThan(5_000);
    }
  });
});

describe('with a secured Kafka', () => {
  const doctor = async (changed: Variables = {}) => {
    const { stdout } = await runCli(['doctor', '--json', '--data-dir', dataDir], {
      ...variables(changed),
      ANNALS_TOPIC_PREFIX: prefix,
      DATABASE_URL: 'postgres://a:b@127.0.0.1:1/a',
    });
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly object[] };
    return { stdout, findings };
  };

  it('doctor reports the authentication method or the reason for a failure', async () => {
    const { findings } = await doctor();
    expect(findings).toContainEqual(
      expect.objectContaining({
        about: 'Kafka',
        verdict: 'ok',
        says: `Kafka responds at ${kafka.secured}, over TLS, as annals-service with scram-sha-512.`,
      }),
    );
    const refused = await doctor({ KAFKA_SASL_PASSWORD: 'wrong-secret' });
    expect(refused.findings).toContainEqual(
      expect.objectContaining({
        about: 'Kafka',
        verdict: 'fault',
        says: expect.stringMatching(
          /^Kafka rejects this client at localhost:\d+ \(.*authentication/i,
        ),
        remedy: expect.stringContaining('KAFKA_SASL_PASSWORD'),
      }),
    );
    expect(refused.stdout).not.toContain('wrong-secret');
  });

  it('a service with a wrong password is not ready and reports the reason', async () => {
    const service = await spawnDispatcher(variables({ KAFKA_SASL_PASSWORD: 'wrong-secret' }));
    closers.push(service.stop);
    await eventually(async () => {
      const response = await fetch(`${service.url}/readyz`);
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ ready: false, checks: { kafka: false } });
      expect(service.output()).toMatch(
        /"level":50.*correct KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD/,
      );
    });
    expect(service.output()).not.toContain('wrong-secret');
    await service.stop();
  });

  it('a service with contradictory settings exits with the reason', async () => {
    const service = await spawnDispatcher(variables({ KAFKA_SASL_PASSWORD: '' }));
    expect((await service.exited).code).toBe(1);
    expect(service.output()).toBe(
      'invalid configuration:\n  KAFKA_SASL_PASSWORD is required with KAFKA_SASL_MECHANISM\n',
    );
  });
});
