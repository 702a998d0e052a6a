import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keys } from '../../infra/docker/keys.ts';
import { isDockerResponding } from '../../infra/local/docker/find-docker-engine.ts';
import { type KafkaAccess, toKafkaAccess } from '../../infra/local/kafka/kafka-access.ts';
import { brokerAccount } from '../../infra/local/kafka/kafka-properties.ts';
import { choosePorts } from '../../infra/local/processes/free-port.ts';
import type { AccessFile } from '../../infra/local/supervisor/access-file.ts';
import { createLogReader, type LogReader } from '../support/log/log-reader.ts';

const root = join(import.meta.dirname, '..', '..');

export type Profile = 'single' | 'cluster';

/** Returns the reason why the checks cannot run here; undefined if they can. */
export async function findComposeObstacle(): Promise<string | undefined> {
  if (!(await isDockerResponding(process.env))) return 'no Docker engine responds';
  const { status } = spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' });
  return status === 0 ? undefined : 'docker compose (version 2) is missing';
}

export interface ComposeProject {
  readonly url: string;
  /** Duration of `up --wait` with an existing image. */
  readonly startedWithinMs: number;
  /** Available once its container runs: profile `observe`. */
  readonly prometheusUrl: string;
  access(): Promise<Pick<AccessFile, 'admin' | 'apiKey' | 'hmac' | 'user'>>;
  /** Runs an operators' command in an api and returns its output. Throws if it fails. */
  annals(...args: readonly string[]): Promise<string>;
  /** Runs `docker compose <args>` and returns its output. Throws if it fails. */
  compose(...args: readonly string[]): Promise<string>;
  docker(...args: readonly string[]): Promise<string>;
  /** Runs lines of docs/operations/docker.md as an operator would in a shell. Throws if they fail. */
  runLines(lines: string, backup?: string): Promise<string>;
  /** Sets the image of the containers that are created from now on. */
  useVersion(version: string): void;
  /** Returns the name that Docker gave to the container of a service. */
  containerOf(service: string): string;
  /** Waits until the health check of a service succeeds. */
  untilHealthy(service: string): Promise<void>;
  /** The Kafka of the project, reachable from this machine. */
  readonly kafka: KafkaAccess;
  readLog(): LogReader;
  /** Starts a server in the project's network that prints the body of each request; returns its URL. */
  startReceiver(version?: string): Promise<Receiver>;
  /** Removes containers and volumes. */
  remove(): Promise<void>;
}

interface Receiver {
  readonly url: string;
  bodies(): Promise<readonly unknown[]>;
  stop(): Promise<void>;
}

/** Builds the image from the sources in a folder, with the version as its tag. */
export async function buildImage(version: string, folder = root): Promise<void> {
  const file = join(folder, 'infra', 'docker', 'Dockerfile');
  await runDocker(
    ['build', '--quiet', '--tag', `annals:${version}`, '--file', file, folder],
    process.env,
  );
}

/**
 * Runs `docker compose up` with the repository's own file, under a separate project name and ports, with the
 * existing image of a version or a new one.
 */
export async function startComposeProject(
  profile: Profile,
  env: Readonly<Record<string, string>> = {},
  version?: string,
): Promise<ComposeProject> {
  const name = `annals-check-${randomBytes(3).toString('hex')}`;
  const ports = await choosePorts(PORTS, {});
  const surroundings: Record<string, string | undefined> = {
    ...process.env,
    ...(version !== undefined && { ANNALS_VERSION: version }),
    ...toVariables(ports),
    ...env,
  };
  const docker = async (...args: readonly string[]) => runDocker(args, surroundings);
  const compose = async (...args: readonly string[]) =>
    docker('compose', '--project-name', name, '--profile', profile, ...args);
  const annals = async (...args: readonly string[]) =>
    compose('exec', '-T', profile === 'single' ? 'api' : 'api-1', 'annals', ...args);
  const remove = async (): Promise<void> => {
    await docker('rm', '--force', receiverOf(name));
    await compose('--profile', 'observe', 'down', '--volumes', '--timeout', '20');
  };

  let startedWithinMs: number;
  try {
    if (version === undefined)
      await compose('build', '--quiet', profile === 'single' ? 'setup' : 'setup-cluster');
    const begin = Date.now();
    await compose('up', '--detach', '--wait', '--quiet-pull');
    startedWithinMs = Date.now() - begin;
  } catch (error) {
    await remove();
    throw error;
  }
  const containerOf = (service: string): string => `${name}-${service}-1`;
  const brokerPorts =
    profile === 'single' ? [ports.kafka] : [ports.kafka1, ports.kafka2, ports.kafka3];
  const brokers = brokerPorts.map((port) => `127.0.0.1:${port}`).join(',');
  const password = await compose(
    ...['exec', '-T', profile === 'single' ? 'api' : 'api-1', 'cat', keys.kafkaPassword],
  );
  const kafka = toKafkaAccess(brokers, brokerAccount(password.trim()));
  return {
    url: `http://127.0.0.1:${ports.api}`,
    startedWithinMs,
    prometheusUrl: `http://127.0.0.1:${ports.prometheus}`,
    access: async () => JSON.parse(await annals('access')),
    annals,
    compose,
    docker,
    runLines: async (lines, backup = '/mnt/backup') => {
      const script = lines
        .replaceAll('annals_', `${name}_`)
        .replaceAll('/mnt/backup', backup)
        .replaceAll(' exec ', ' exec -T ')
        .replaceAll(' run --rm --no-deps ', ' run --rm --no-deps -T ');
      const env = { ...surroundings, COMPOSE_PROJECT_NAME: name };
      return runProgram('bash', ['-euo', 'pipefail', '-c', script], env);
    },
    useVersion: (next) => {
      surroundings['ANNALS_VERSION'] = next;
    },
    containerOf,
    untilHealthy: async (service) =>
      void (await compose('up', '--detach', '--wait', '--no-recreate', '--no-deps', service)),
    kafka,
    readLog: () => createLogReader(kafka),
    startReceiver: async (image = '0.2.0') => startReceiver(docker, name, image),
    remove,
  };
}

const PORTS = [
  'api',
  'tls',
  'kafka',
  'kafka1',
  'kafka2',
  'kafka3',
  'postgres',
  'prometheus',
] as const;

function toVariables(ports: Readonly<Record<(typeof PORTS)[number], number>>) {
  return {
    ANNALS_PORT: `${ports.api}`,
    ANNALS_TLS_LISTEN: `127.0.0.1:${ports.tls}`,
    ANNALS_POSTGRES_PORT: `${ports.postgres}`,
    ANNALS_KAFKA_PORT: `${ports.kafka}`,
    ANNALS_KAFKA_1_PORT: `${ports.kafka1}`,
    ANNALS_KAFKA_2_PORT: `${ports.kafka2}`,
    ANNALS_KAFKA_3_PORT: `${ports.kafka3}`,
    ANNALS_PROMETHEUS_PORT: `${ports.prometheus}`,
  };
}

const receiverOf = (project: string): string => `${project}-receiver`;

/** Uses only Node, which the image contains. */
const receiverProgram = `require('node:http').createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => { body += chunk; });
  request.on('end', () => { console.log(body); response.end(); });
}).listen(8000)`;

async function startReceiver(
  docker: (...args: readonly string[]) => Promise<string>,
  project: string,
  version: string,
): Promise<Receiver> {
  const container = receiverOf(project);
  const labels = ['--label', `com.docker.compose.project=${project}`];
  const network = ['--network', `${project}_default`, '--network-alias', 'receiver'];
  const program = ['--entrypoint', 'node', `annals:${version}`, '-e', receiverProgram];
  await docker('run', '--detach', '--rm', '--name', container, ...labels, ...network, ...program);
  return {
    url: 'http://receiver:8000/hook',
    async bodies(): Promise<readonly unknown[]> {
      const lines = (await docker('logs', container)).split('\n');
      return lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line));
    },
    stop: async () => void (await docker('rm', '--force', container)),
  };
}

const runDocker = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> =>
  runProgram('docker', args, env);

async function runProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code === 0) return output;
  throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${errors}${output}`);
}
