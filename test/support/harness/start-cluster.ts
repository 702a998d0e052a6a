import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { inject } from 'vitest';
import { writePrivateJson } from '../../../infra/local/data-directory/private-file.ts';
import { makeSeed, type SeedFile } from '../../../infra/local/data-directory/seed-file.ts';
import { toKafkaVariables } from '../../../infra/local/kafka/kafka-access.ts';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import { type RunningChild, spawnChild } from '../../../infra/local/processes/spawn-child.ts';
import { eventually } from '../eventually.ts';
import { joinSockets } from '../join-sockets.ts';
import { createSelfSigned } from '../receivers/certificates.ts';
import { startHaproxy } from './haproxy.ts';
import { startReplica } from './start-replica.ts';
import { createTestDatabase } from './test-database.ts';
import { makeTestDirectory } from './test-infrastructure.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const services = {
  'api-1': 'api',
  'api-2': 'api',
  'query-1': 'query',
  'query-2': 'query',
  projector: 'projector',
  dispatcher: 'dispatcher',
} as const;
export type ClusterProcess = keyof typeof services;
const names = Object.keys(services) as readonly ClusterProcess[];
const behindHaproxy = ['api-1', 'api-2', 'query-1', 'query-2'] as const;
const patience = { timeoutMs: 90_000 };

/**
 * The processes of the profile `cluster` of docker compose on this machine, behind a real HAProxy with the same
 * configuration. Query processes read from a replica of Postgres.
 */
export interface Cluster {
  readonly url: string;
  readonly secureUrl: string;
  /** The file with the certificate of `secureUrl`. */
  readonly certificate: string;
  readonly seed: SeedFile;
  readonly replica: Awaited<ReturnType<typeof startReplica>>;
  internalUrl(name: ClusterProcess): string;
  /** Returns the requests that a process has logged, such as `GET /api/v1/Account`. */
  requestsOf(name: ClusterProcess): readonly string[];
  signal(name: ClusterProcess | 'haproxy', signal: NodeJS.Signals): void;
  /** Waits until the process has exited. */
  exited(name: ClusterProcess): Promise<unknown>;
  /** Starts a process that has exited, and waits until it is ready. */
  start(name: ClusterProcess): Promise<void>;
  /** Interrupts all connections to the primary without closing them, until the returned function is called. */
  pausePostgres(): () => void;
  stop(): Promise<void>;
}

export async function startCluster(env: NodeJS.ProcessEnv = {}): Promise<Cluster> {
  const directory = makeTestDirectory();
  const ports = await choosePorts(
    [...names.map(internalOf), ...behindHaproxy, 'clients', 'secure', 'internal', 'postgres'],
    {},
  );
  const portOf = (name: string): number => ports[name] ?? 0;
  const postgres = await providePostgres(portOf('postgres'));
  const seed = makeSeed();
  const seedFile = join(directory, 'seed.json');
  writePrivateJson(seedFile, seed);
  const topicPrefix = `test-${randomBytes(4).toString('hex')}`;
  const secretKey = randomBytes(32).toString('hex');
  const certificates = join(directory, 'certificates');
  const certificate = await makeCertificate(certificates);
  const [clients, secure, internal] = ['clients', 'secure', 'internal'].map(portOf);
  const haproxy = await startHaproxy(
    directory,
    {
      clients: clients ?? 0,
      secure: secure ?? 0,
      internal: internal ?? 0,
      servers: new Map(
        behindHaproxy.map((name) => [
          name,
          { http: portOf(name), internal: portOf(internalOf(name)) },
        ]),
      ),
    },
    certificates,
  );
  const processes = createProcesses(directory, portOf, (service) => ({
    ...process.env,
    ...toKafkaVariables(inject('kafka')),
    KAFKA_ON_THIS_MACHINE: 'true',
    DATABASE_URL: postgres.url,
    ...(service === 'query' ? { DATABASE_READ_URL: postgres.replica.url } : {}),
    ANNALS_TOPIC_PREFIX: topicPrefix,
    ANNALS_SECRET_KEY: secretKey,
    ANNALS_SEED_FILE: seedFile,
    ANNALS_PROXY_PROTOCOL: 'true',
    DRAIN_TIME: '2s',
    LOG_LEVEL: 'info',
    ...env,
  }));
  await Promise.all(names.map(processes.start));
  await eventually(async () => expectReady(`http://127.0.0.1:${internal}/readyz`), patience);
  return {
    ...processes,
    url: `http://127.0.0.1:${clients}`,
    secureUrl: `https://127.0.0.1:${secure}`,
    certificate,
    seed,
    replica: postgres.replica,
    signal(name, signal) {
      if (name === 'haproxy') process.kill(haproxy.pid, signal);
      else processes.signal(name, signal);
    },
    pausePostgres: postgres.pause,
    async stop() {
      await haproxy.stop();
      await processes.stop();
      await postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const internalOf = (name: ClusterProcess): string => `${name}-internal`;

async function expectReady(url: string): Promise<void> {
  const { status } = await fetch(url);
  if (status !== 200) throw new Error(`${url} returned ${status}`);
}

/** Creates a database with a replica, and a port that leads to the database. */
async function providePostgres(port: number) {
  const database = await createTestDatabase(inject('databaseUrl'));
  const replica = await startReplica(database.url);
  const relay = await startRelay(port, Number(new URL(database.url).port));
  const url = new URL(database.url);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    replica,
    pause: relay.pause,
    async stop() {
      relay.close();
      await replica.stop();
      await database.drop();
    },
  };
}

/** `envOf` returns the environment of a service, without its ports. */
function createProcesses(
  directory: string,
  portOf: (name: string) => number,
  envOf: (service: string) => NodeJS.ProcessEnv,
) {
  const children = new Map<ClusterProcess, RunningChild>();
  const logOf = (name: string) => join(directory, `${name}.log`);
  const internalUrl = (name: ClusterProcess) => `http://127.0.0.1:${portOf(internalOf(name))}`;
  return {
    internalUrl,
    requestsOf: (name: ClusterProcess): readonly string[] =>
      readFileSync(logOf(name), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"msg":"request"'))
        .map((line) => {
          const { method, path } = JSON.parse(line) as { method: string; path: string };
          return `${method} ${path}`;
        }),
    async start(name: ClusterProcess): Promise<void> {
      const child = await spawnChild({
        name,
        command: process.execPath,
        args: [join(root, 'services', services[name], 'main.ts')],
        env: {
          ...envOf(services[name]),
          PORT: `${portOf(name)}`,
          INTERNAL_PORT: `${portOf(internalOf(name))}`,
        },
        stopSignal: 'SIGTERM',
        stopTimeoutMs: 20_000,
      });
      for (const stream of [child.stdout, child.stderr])
        stream?.pipe(createWriteStream(logOf(name), { flags: 'a' }));
      children.set(name, child);
      await eventually(async () => expectReady(`${internalUrl(name)}/readyz`), patience);
    },
    signal(name: ClusterProcess, signal: NodeJS.Signals): void {
      const child = children.get(name);
      if (child !== undefined) process.kill(child.pid, signal);
    },
    exited: async (name: ClusterProcess): Promise<unknown> => children.get(name)?.exited,
    stop: async () => Promise.all([...children.values()].map(async (child) => child.stop())),
  };
}

/** Writes a self-signed certificate and its key into a file of the directory, as HAProxy reads them. */
async function makeCertificate(directory: string): Promise<string> {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'annals.pem');
  const { cert, key } = await createSelfSigned('localhost');
  writeFileSync(file, `${key}\n${cert}\n`);
  return file;
}

/** Forwards connections to Postgres, and can interrupt them like a network failure. */
async function startRelay(port: number, toPort: number) {
  const sockets = new Set<Socket>();
  let isPaused = false;
  const server: Server = createServer((client) => {
    const upstream = connect(toPort, '127.0.0.1');
    joinSockets(client, upstream, sockets);
    if (isPaused) for (const socket of [client, upstream]) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    pause() {
      isPaused = true;
      for (const socket of sockets) socket.pause();
      return () => {
        isPaused = false;
        for (const socket of sockets) socket.resume();
      };
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
