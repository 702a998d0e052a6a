import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { toKafkaVariables } from '../../../infra/local/kafka/kafka-access.ts';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import { processIdentity } from '../../../infra/local/processes/process-identity.ts';
import {
  type ChildExit,
  type RunningChild,
  spawnChild,
} from '../../../infra/local/processes/spawn-child.ts';
import type { AccessFile } from '../../../infra/local/supervisor/access-file.ts';
import { toReadyUrl } from '../../../infra/local/supervisor/service-environment.ts';
import { eventually } from '../eventually.ts';
import { createTestDatabase } from './test-database.ts';
import { makeTestDirectory } from './test-infrastructure.ts';

export interface ProductOptions {
  /** Added to the environment of the test. */
  readonly env?: NodeJS.ProcessEnv;
  /** Defaults to a new directory, which `remove` deletes. */
  readonly dataDir?: string;
  /** Other sources, such as those of an earlier version. */
  readonly root?: string;
  /** Arguments of the start script. */
  readonly args?: readonly string[];
  /** `shared`: that of the test run, with its own database and topics. `own`: its own broker and server. */
  readonly infrastructure?: 'shared' | 'own';
}

export interface StartedProduct {
  readonly url: string;
  readonly dataDir: string;
  readonly supervisorPid: number;
  /** Read each time, because process ids change after restarts. */
  access(): AccessFile;
  output(): string;
  /** Kills a process (`api`, `api2`, `kafka` …) with SIGKILL or another signal. Returns its id. */
  kill(name: string, signal?: NodeJS.Signals): number;
  waitUntilReady(instance: string): Promise<void>;
  /** Returns the URL of an instance's internal listener, with health and metrics. */
  internalUrl(instance: string): string;
  /** Stops the product. The data is kept for `startAgain`. */
  stop(signal?: NodeJS.Signals): Promise<ChildExit>;
  /** Starts it again with the same settings and data, after `stop` or after the supervisor was killed. */
  startAgain(): Promise<StartedProduct>;
  /** Stops the product if it runs, and removes its data. */
  remove(): Promise<void>;
}

const sources = join(import.meta.dirname, '..', '..', '..');
const readyTimeoutMs = 120_000;

/** Starts the product as `npm start` does, and waits until it is ready. */
export async function startProduct(options: ProductOptions = {}): Promise<StartedProduct> {
  const dataDir = options.dataDir ?? makeTestDirectory();
  const { port } = await choosePorts(['port'], {});
  const place = options.infrastructure === 'own' ? ownPlace : await sharedPlace(options);
  const env = {
    ...process.env,
    ...place.env,
    PORT: `${port}`,
    HOST: '127.0.0.1',
    ANNALS_DATA_DIR: dataDir,
    ...options.env,
  };
  const remove = async (): Promise<void> => {
    await place.remove();
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  const { root = place.root, args = [] } = options;
  return runProduct({ root, args, env, dataDir, remove });
}

/** Starts the product and waits until it exits, for starts that must fail. */
export async function runRefusedStart(
  env: NodeJS.ProcessEnv,
): Promise<{ readonly exit: ChildExit; readonly output: string }> {
  const supervisor = await spawnSupervisor(sources, { ...process.env, ...env });
  const output = collectOutput(supervisor);
  return { exit: await supervisor.exited, output: output() };
}

/** Starts the product without waiting until it is ready, for starts that wait for something themselves. */
export async function startWaiting(
  env: NodeJS.ProcessEnv,
): Promise<{ output(): string; stop(): Promise<ChildExit> }> {
  const supervisor = await spawnSupervisor(sources, { ...process.env, ...env });
  return {
    output: collectOutput(supervisor),
    async stop() {
      process.kill(supervisor.pid, 'SIGTERM');
      return supervisor.exited;
    },
  };
}

interface Place {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  remove(): Promise<void>;
}

const ownPlace: Place = {
  root: sources,
  env: { KAFKA_BROKERS: undefined, DATABASE_URL: undefined, ANNALS_INFRA: 'local' },
  remove: async () => {},
};

async function sharedPlace({ env }: ProductOptions): Promise<Place> {
  const database = await createTestDatabase(inject('databaseUrl'));
  return {
    root: inject('productRoot'),
    env: {
      ...toKafkaVariables(inject('kafka')),
      // A test with its own database also sets the related variables.
      ...(env?.['DATABASE_URL'] === undefined ? toDatabaseVariables(database.url) : {}),
      ANNALS_TOPIC_PREFIX: `test-${randomBytes(4).toString('hex')}`,
    },
    remove: database.drop,
  };
}

function toDatabaseVariables(url: string): NodeJS.ProcessEnv {
  const at = (server: string): string => new URL(new URL(url).pathname, server).href;
  const { pooler, replica } = inject('postgresVariant');
  return {
    DATABASE_URL: pooler === undefined ? url : at(pooler),
    ...(pooler === undefined ? {} : { DATABASE_SESSION_URL: url }),
    ...(replica === undefined ? {} : { DATABASE_READ_URL: at(replica) }),
  };
}

interface ProductRun {
  readonly root: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
  remove(): Promise<void>;
}

async function runProduct(run: ProductRun): Promise<StartedProduct> {
  const supervisor = await spawnSupervisor(run.root, run.env, run.args);
  const output = collectOutput(supervisor);
  const access = (): AccessFile => readJson(join(run.dataDir, 'access.json'));
  const healthPort = (instance: string): number =>
    readJson<Record<string, number>>(join(run.dataDir, 'ports.json'))[`${instance}Health`] ?? 0;
  await waitForReadyLine(supervisor, output);
  const { url } = access();

  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<ChildExit> => {
    if (!supervisor.hasExited()) process.kill(supervisor.pid, signal);
    return supervisor.exited;
  };
  return {
    url,
    dataDir: run.dataDir,
    supervisorPid: supervisor.pid,
    access,
    output,
    kill(name, signal = 'SIGKILL') {
      const pid = access().processes[name] ?? null;
      if (pid === null) throw new Error(`${name} is not a process of this product`);
      process.kill(pid, signal);
      return pid;
    },
    async waitUntilReady(instance) {
      const readyUrl = toReadyUrl(healthPort(instance));
      await eventually(async () => expectReady(readyUrl), { timeoutMs: 60_000 });
    },
    internalUrl: (instance) => `http://127.0.0.1:${healthPort(instance)}`,
    stop,
    startAgain: async () => runProduct(run),
    async remove() {
      const isRunning = !supervisor.hasExited();
      const stopped = stop();
      // Stops all services at the same time instead of in order, because the data is no longer needed.
      if (isRunning) signalServices(access());
      await stopped;
      await run.remove();
    },
  };
}

function signalServices({ processes }: AccessFile): void {
  const { kafka, postgres, ...services } = processes;
  for (const pid of Object.values(services)) {
    if (pid === null || processIdentity(pid) === undefined) continue;
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // It has exited in the meantime.
    }
  }
}

async function spawnSupervisor(
  root: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): Promise<RunningChild> {
  return spawnChild({
    name: 'supervisor',
    command: process.execPath,
    args: [join(root, 'infra', 'local', 'start.ts'), ...args],
    env,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 60_000,
  });
}

function collectOutput(child: RunningChild): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return () => text;
}

async function waitForReadyLine(supervisor: RunningChild, output: () => string): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  while (!/^Annals is ready at \S+$/m.test(output())) {
    if (supervisor.hasExited()) throw new Error(`the product did not start:\n${output()}`);
    if (Date.now() > deadline) {
      await supervisor.stop();
      throw new Error(`the product was not ready within ${readyTimeoutMs} ms:\n${output()}`);
    }
    await sleep(50);
  }
}

async function expectReady(url: string): Promise<void> {
  const { status } = await fetch(url);
  if (status !== 200) throw new Error(`${url} answered ${status}`);
}

function readJson<Value>(path: string): Value {
  return JSON.parse(readFileSync(path, 'utf8'));
}
