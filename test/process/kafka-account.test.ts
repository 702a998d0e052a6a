import { readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Admin, Kafka, type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KafkaAccess, toKafkaAddress } from '../../infra/local/kafka/kafka-access.ts';
import { type StartedKafka, startKafka } from '../../infra/local/kafka/start-kafka.ts';
import { choosePorts } from '../../infra/local/processes/free-port.ts';
import { createAppendMessages } from '../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { makeTestDirectory } from '../support/harness/test-infrastructure.ts';
import { createLogReader } from '../support/log/log-reader.ts';

const topic = 'kept';
const message = (text: string) => ({ key: 'k', value: Buffer.from(text) });

const directories: string[] = [];
const running: StartedKafka[] = [];
afterAll(async () => {
  for (const broker of running) await broker.stop();
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

function makeKafkaDirectory(): string {
  const directory = makeTestDirectory();
  directories.push(directory);
  return join(directory, 'kafka');
}

async function start(options: Parameters<typeof startKafka>[0]): Promise<StartedKafka> {
  const broker = await startKafka(options);
  running.push(broker);
  return broker;
}

/** Returns a plain kafkajs client, as any user of the machine could run. */
function clientOf(brokers: string, login: Pick<KafkaConfig, 'sasl'> = {}): Kafka {
  const retry = { retries: 0 };
  const timeouts = { connectionTimeout: 2_000, authenticationTimeout: 2_000 };
  const address = { brokers: brokers.split(','), logLevel: logLevel.NOTHING, retry, ...timeouts };
  return new Kafka({ ...address, ...login });
}

const plain = (username: string, password: string): { readonly sasl: SASLOptions } => ({
  sasl: { mechanism: 'plain', username, password },
});

/** Logins that the broker refuses, with the error of each. */
const strangers: readonly (readonly [string, Pick<KafkaConfig, 'sasl'>, string])[] = [
  ['with a wrong password', plain('annals', 'wrong'), 'Authentication failed'],
  ['with an empty password', plain('annals', ''), 'Authentication failed'],
  ['with another name', plain('admin', 'admin'), 'Authentication failed'],
  [
    'by another mechanism',
    { sasl: { mechanism: 'scram-sha-256', username: 'annals', password: 'wrong' } },
    'does not support the requested SASL mechanism',
  ],
];

/** A CreateTopics request without topics, which brokers and controllers answer for every authorised client. */
const emptyRequest = Buffer.from(
  '00000013 0013 0002 00000001 ffff 00000000 000003e8 00'.replaceAll(' ', ''),
  'hex',
);

/** Sends the request without a login. */
async function requestWithoutLogin(port: number): Promise<'answered' | 'closed'> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.write(emptyRequest);
  const outcome = await new Promise<'answered' | 'closed'>((resolve) => {
    socket.on('data', () => resolve('answered'));
    socket.on('close', () => resolve('closed'));
  });
  socket.destroy();
  return outcome;
}

async function asAdmin<Result>(client: Kafka, work: (admin: Admin) => Promise<Result>) {
  const admin = client.admin();
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

async function appendBy(client: Kafka): Promise<unknown> {
  const producer = client.producer();
  try {
    await producer.connect();
    return await producer.send({ topic, messages: [message('forged')] });
  } finally {
    await producer.disconnect();
  }
}

async function readBy(client: Kafka): Promise<void> {
  const consumer = client.consumer({ groupId: 'strangers' });
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
  } finally {
    await consumer.disconnect();
  }
}

async function append(access: KafkaAccess, text: string): Promise<void> {
  const address = toKafkaAddress(access, 'account-test');
  const connection = createKafkaConnection(address, pino({ level: 'silent' }));
  await createAppendMessages(connection)(topic, 0, [message(text)]);
  await connection.close();
}

async function textsIn(access: KafkaAccess): Promise<readonly string[]> {
  const reader = createLogReader(access);
  const texts = (await reader.messages(topic)).flat().map(({ value }) => String(value));
  await reader.close();
  return texts;
}

function loginOf({ username = '', password = '' }: KafkaAccess): Pick<KafkaConfig, 'sasl'> {
  return plain(username, password);
}

const passwordOf = (dataDir: string): string =>
  readFileSync(join(dataDir, 'password'), 'utf8').trim();

describe('an additional account that an operator creates', () => {
  it('has only the permissions that ACLs grant', async () => {
    const dataDir = makeKafkaDirectory();
    const first = await start({ dataDir });
    const { access } = first;
    await asAdmin(clientOf(access.brokers, loginOf(access)), (admin) =>
      admin.createTopics({ topics: [{ topic }], waitForLeaders: true }),
    );
    await append(access, 'one');
    await first.stop();
    const module = 'org.apache.kafka.common.security.plain.PlainLoginModule required';
    const password = passwordOf(dataDir);
    const settings = {
      'listener.name.client.plain.sasl.jaas.config': `${module} username="annals" password="${password}" user_annals="${password}" user_guest="guest";`,
    };
    const second = await start({ dataDir, settings });
    const guest = clientOf(second.access.brokers, plain('guest', 'guest'));
    expect(await asAdmin(guest, (admin) => admin.listTopics())).toEqual([]);
    await expect(appendBy(guest)).rejects.toThrow(/authoriz/i);
    await expect(readBy(guest)).rejects.toThrow(/authoriz/i);
    expect(await textsIn(second.access)).toEqual(['one']);
  });
});

describe('a local Kafka', () => {
  let dataDir: string;
  let broker: StartedKafka;
  beforeAll(async () => {
    dataDir = makeKafkaDirectory();
    broker = await start({ dataDir });
    const { access } = broker;
    await asAdmin(clientOf(access.brokers, loginOf(access)), (admin) =>
      admin.createTopics({ topics: [{ topic }], waitForLeaders: true }),
    );
    await append(access, 'one');
  });

  it('serves clients with the password', async () => {
    const { access } = broker;
    expect(access).toEqual({
      brokers: `127.0.0.1:${broker.port}`,
      mechanism: 'plain',
      username: 'annals',
      password: passwordOf(dataDir),
    });
    expect(access.password).toMatch(/^[0-9a-f]{48}$/);
    const topics = await asAdmin(clientOf(access.brokers, loginOf(access)), (admin) =>
      admin.listTopics(),
    );
    expect(topics).toContain(topic);
    expect(await textsIn(access)).toEqual(['one']);
  });

  it('does not list topics, serve reads or accept writes without a password', async () => {
    const client = clientOf(broker.access.brokers);
    await expect(asAdmin(client, (admin) => admin.listTopics())).rejects.toThrow('Closed');
    await expect(readBy(client)).rejects.toThrow('Closed');
    await expect(appendBy(client)).rejects.toThrow('Closed');
    expect(await textsIn(broker.access)).toEqual(['one']);
    expect(await requestWithoutLogin(broker.port)).toBe('closed');
    expect(await requestWithoutLogin(broker.controllerPort)).toBe('closed');
  });

  it.each(strangers)(
    'rejects logins %s at the broker and at the controller',
    async (_, login, message) => {
      for (const port of [broker.port, broker.controllerPort]) {
        const client = clientOf(`127.0.0.1:${port}`, login);
        await expect(asAdmin(client, (admin) => admin.listTopics())).rejects.toThrow(message);
        await expect(readBy(client)).rejects.toThrow(message);
        await expect(appendBy(client)).rejects.toThrow(message);
      }
      expect(await textsIn(broker.access)).toEqual(['one']);
    },
  );

  it('keeps its password private in its file, log, command line and environment', () => {
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    for (const file of ['password', 'server.properties']) {
      expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
    }
    const commandLine = readFileSync(`/proc/${broker.process.pid}/cmdline`, 'utf8');
    const environment = readFileSync(`/proc/${broker.process.pid}/environ`, 'utf8');
    const log = readFileSync(join(dataDir, 'kafka.log'), 'utf8');
    expect(log.length).toBeGreaterThan(100);
    for (const text of [commandLine, environment, log]) {
      expect(text).not.toContain(passwordOf(dataDir));
    }
  });
});

describe('the data of a local Kafka that did not require logins', () => {
  it('is kept and requires logins after the next start', async () => {
    const dataDir = makeKafkaDirectory();
    const here = '127.0.0.1';
    const ports = await choosePorts(['port', 'controllerPort', 'open'], {});
    const { port, controllerPort } = ports;
    const before = await start({
      dataDir,
      port,
      controllerPort,
      settings: {
        listeners: `PLAINTEXT://${here}:${ports.open},CONTROLLER://${here}:${controllerPort},CLIENT://${here}:${port}`,
        'listener.security.protocol.map':
          'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,CLIENT:SASL_PLAINTEXT',
        'inter.broker.listener.name': 'PLAINTEXT',
        'super.users': 'User:annals;User:ANONYMOUS',
      },
    });
    const open = { brokers: `${here}:${ports.open}` };
    await asAdmin(clientOf(open.brokers), (admin) =>
      admin.createTopics({ topics: [{ topic }], waitForLeaders: true }),
    );
    await append(open, 'before');
    expect(await requestWithoutLogin(ports.open)).toBe('answered');
    expect(await requestWithoutLogin(controllerPort)).toBe('answered');
    await before.stop();
    for (const file of ['password', 'server.properties']) rmSync(join(dataDir, file));

    const { access } = await start({ dataDir, port, controllerPort });
    await append(access, 'after');
    expect(await textsIn(access)).toEqual(['before', 'after']);
    await expect(appendBy(clientOf(access.brokers))).rejects.toThrow('Closed');
    expect(await requestWithoutLogin(controllerPort)).toBe('closed');
  });
});

describe('the password file of a local Kafka', () => {
  it('is replaced when it is missing, and the previous password becomes invalid', async () => {
    const dataDir = makeKafkaDirectory();
    const first = await start({ dataDir });
    await first.stop();
    rmSync(join(dataDir, 'password'));

    const second = await start({ dataDir });
    expect(second.access.password).not.toBe(first.access.password);
    const former = clientOf(second.access.brokers, loginOf(first.access));
    await expect(appendBy(former)).rejects.toThrow('Authentication failed');
    const client = clientOf(second.access.brokers, loginOf(second.access));
    expect(await asAdmin(client, (admin) => admin.listTopics())).toEqual([]);
  });
});
