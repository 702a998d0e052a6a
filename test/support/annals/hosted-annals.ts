import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type DestinationStream, pino } from 'pino';
import { writePrivateJson } from '../../../infra/local/data-directory/private-file.ts';
import { makeSeed, type SeedFile } from '../../../infra/local/data-directory/seed-file.ts';
import { toKafkaVariables } from '../../../infra/local/kafka/kafka-access.ts';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import { toReadyUrl } from '../../../infra/local/supervisor/service-environment.ts';
import { startApi } from '../../../services/api/start-api.ts';
import { loadCommandConfig } from '../../../services/command/config.ts';
import { loadDispatcherConfig } from '../../../services/dispatcher/config.ts';
import { startDispatcher } from '../../../services/dispatcher/start-dispatcher.ts';
import { loadProjectorConfig } from '../../../services/projector/config.ts';
import { startProjector } from '../../../services/projector/start-projector.ts';
import { type AllowedTarget, parseAllowedTarget } from '../../../shared/net/allowed-targets.ts';
import { createLifecycle, type Lifecycle } from '../../../shared/runtime/lifecycle.ts';
import { createLogger } from '../../../shared/runtime/logger.ts';
import { createMetrics } from '../../../shared/runtime/metrics.ts';
import type { ServiceContext } from '../../../shared/service/run-service.ts';
import { eventually } from '../eventually.ts';
import { createTestDatabase } from '../harness/test-database.ts';
import type { TestInfrastructure } from '../harness/test-infrastructure.ts';
import { createMovableClock } from './movable-clock.ts';

/** An Annals in this process, with its own topics and database. */
export interface HostedAnnals {
  readonly access: SeedFile & {
    readonly url: string;
    readonly topicPrefix: string;
    readonly kafka: TestInfrastructure['kafka'];
    readonly postgres: { readonly url: string };
  };
  /** Allows webhooks to this port of the loopback interface. */
  allowReceiver(port: number): void;
  moveClock(ms: number): void;
  stop(): Promise<void>;
}

interface HostOptions {
  readonly infrastructure: TestInfrastructure;
  /** For data outside Kafka and Postgres. */
  readonly directory: string;
  /** Any environment variable of the services. */
  readonly env: Readonly<Record<string, string>>;
}

type Env = Readonly<Record<string, string | undefined>>;

const graceMs = 15_000;
const portNames = ['api', 'apiInternal', 'projectorInternal', 'dispatcherInternal'] as const;

/** Starts the services, each as its own process would, and waits until all are ready. */
export async function hostAnnals(options: HostOptions): Promise<HostedAnnals> {
  const { infrastructure, directory } = options;
  const [ports, database] = await Promise.all([
    choosePorts(portNames, {}),
    createTestDatabase(infrastructure.databaseUrl),
  ]);
  const topicPrefix = `test-${randomBytes(4).toString('hex')}`;
  const seed = makeSeed();
  const seedFile = join(directory, `${topicPrefix}.json`);
  writePrivateJson(seedFile, seed);
  const env: Env = {
    WEBHOOK_QUEUE_INTERVAL: '0',
    ANNALS_RECORD_PARTITIONS: '1',
    ...options.env,
    ...toKafkaVariables(infrastructure.kafka),
    DATABASE_URL: database.url,
    ANNALS_TOPIC_PREFIX: topicPrefix,
    ANNALS_SECRET_KEY: randomBytes(32).toString('hex'),
    ANNALS_SEED_FILE: seedFile,
    KAFKA_ON_THIS_MACHINE: 'true',
    HOST: '127.0.0.1',
    PORT: `${ports.api}`,
  };
  const logFile = join(directory, `${topicPrefix}.log`);
  const services = hostServices(env, pino.destination({ dest: logFile, sync: false }));
  const stop = async (): Promise<void> => {
    await services.stop();
    await database.drop();
    rmSync(seedFile, { force: true });
  };
  try {
    await services.start(ports);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    access: {
      url: `http://127.0.0.1:${ports.api}`,
      ...seed,
      topicPrefix,
      kafka: infrastructure.kafka,
      postgres: { url: database.url },
    },
    allowReceiver: services.allowReceiver,
    moveClock: services.moveClock,
    stop,
  };
}

function hostServices(env: Env, destination: DestinationStream) {
  const clock = createMovableClock();
  const lifecycles: Lifecycle[] = [];
  const allowed: AllowedTarget[] = [];

  async function run<Config extends { readonly logLevel: string }>(
    name: string,
    config: Config,
    start: (context: ServiceContext<Config>) => Promise<void>,
  ): Promise<void> {
    const log = createLogger({ service: name, level: config.logLevel, destination });
    const lifecycle = createLifecycle(log, graceMs);
    lifecycles.push(lifecycle);
    const logUnexpected = (what: unknown): void =>
      void process.stderr.write(`annals/testing: the ${name} ended: ${String(what)}\n`);
    const metrics = createMetrics(name);
    const reportBug = (): void =>
      void process.stderr.write(
        `annals/testing: a request to the ${name} caused an unexpected error\n`,
      );
    await start({
      config,
      log,
      lifecycle,
      metrics,
      clock,
      crash: logUnexpected,
      restart: logUnexpected,
      reportBug,
    });
  }

  return {
    async start(ports: Readonly<Record<(typeof portNames)[number], number>>): Promise<void> {
      const at = (port: number): Env => ({ ...env, INTERNAL_PORT: `${port}` });
      const api = loadCommandConfig(at(ports.apiInternal));
      const projector = loadProjectorConfig(at(ports.projectorInternal));
      const dispatcher = loadDispatcherConfig(at(ports.dispatcherInternal));
      allowed.push(...api.targets.allowed);
      const targets = { ...api.targets, allowed };
      await Promise.all([
        run('api', { ...api, targets }, startApi),
        run('projector', projector, startProjector),
        run('dispatcher', { ...dispatcher, targets }, startDispatcher),
      ]);
      const internal = [ports.apiInternal, ports.projectorInternal, ports.dispatcherInternal];
      await Promise.all(internal.map(untilReady));
    },
    allowReceiver(port: number): void {
      const target = parseAllowedTarget(`127.0.0.1:${port}`);
      if (target === undefined) throw new Error(`${port} is not a valid port`);
      allowed.push(target);
    },
    moveClock: clock.move,
    async stop(): Promise<void> {
      await Promise.all(lifecycles.map(async (lifecycle) => lifecycle.stop('the test is over')));
    },
  };
}

async function untilReady(port: number): Promise<void> {
  await eventually(
    async () => {
      const response = await fetch(toReadyUrl(port));
      const checks = await response.text();
      if (response.status !== 200)
        throw new Error(`A service did not become ready; its checks: ${checks}`);
    },
    { timeoutMs: 60_000, intervalMs: 20 },
  );
}
