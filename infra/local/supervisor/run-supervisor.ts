import type { EventEmitter } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepFiles } from '../data-directory/keep-files.ts';
import { type DataDirectory, openDataDirectory } from '../data-directory/open-data-directory.ts';
import { writePrivateJson } from '../data-directory/private-file.ts';
import { keepReserve } from '../data-directory/reserve-file.ts';
import { provideSecretKey } from '../data-directory/secret-key.ts';
import { provideSeed, readSeedFile } from '../data-directory/seed-file.ts';
import { isOutOfSpace, OperatorError, toOperatorError } from '../operator-error.ts';
import {
  type ChildRegistry,
  createChildRegistry,
  StoppingError,
} from '../processes/child-registry.ts';
import { endLeftovers } from '../processes/end-leftovers.ts';
import { probePort } from '../processes/free-port.ts';
import {
  findEarlierPlace,
  type Infrastructure,
  provideInfrastructure,
} from '../provide-infrastructure.ts';
import type { Terminal } from '../terminal.ts';
import { toAccess, toBaseUrl, toProcesses } from './access-file.ts';
import { openDevelopment } from './development.ts';
import { keepRunning } from './keep-running.ts';
import { loadStartSettings, type StartSettings } from './load-start-settings.ts';
import { planInstances } from './plan-instances.ts';
import { provideConsole } from './provide-console.ts';
import { providePorts } from './run-ports.ts';
import type { ServiceEntry } from './service-environment.ts';
import { type StartedService, startServices } from './start-services.ts';
import { listenForStopSignals } from './stop-signals.ts';
import { renderWelcome } from './welcome.ts';

export interface SupervisorOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly services: readonly ServiceEntry[];
  /** The program that shares one port between several apis. */
  readonly front: string;
  /** Root of the sources that `npm run dev` watches; undefined for `npm start`. */
  readonly sourceRoot?: string | undefined;
  readonly terminal: Terminal;
  /** Emits SIGINT, SIGTERM and SIGHUP. */
  readonly signals: EventEmitter;
  /** Exits this process immediately. */
  readonly exit: (code: number) => never;
}

const stopOrder = ['front', 'api', 'dispatcher', 'projector', 'kafka', 'postgres'];
const FORCED_EXIT_CODE = 130;

/**
 * opening → providing → starting → ready → stopping → over
 *
 * - opening: locks the data directory and ends processes that a killed run left behind.
 * - providing: finds or starts Kafka and Postgres.
 * - starting: starts the services; when all are ready, writes access.json and prints the ready line.
 * - ready: restarts every process that dies.
 * - stopping: from every state, by a signal (exit code 0) or by a failure (exit code 1).
 */
export async function runSupervisor(options: SupervisorOptions): Promise<number> {
  const { env, terminal } = options;
  let directory: DataDirectory | undefined;
  try {
    const settings = loadStartSettings(env);
    directory = openDataDirectory(settings.dataDir);
    await runIn(directory, settings, options);
    return 0;
  } catch (error) {
    terminal.warn(describeFailure(toOperatorError(error, directory?.path ?? '.')));
    return 1;
  } finally {
    directory?.lock.release();
  }
}

async function runIn(
  directory: DataDirectory,
  settings: StartSettings,
  options: SupervisorOptions,
): Promise<void> {
  const { terminal } = options;
  const registry = createChildRegistry(directory.run);
  const signals = listenForStopSignals(options.signals, () => {
    registry.killAll();
    directory.lock.release();
    options.exit(FORCED_EXIT_CODE);
  });
  const { isStopping } = registry;
  const run = startRun({ directory, settings, registry, isStopping, ...options });
  try {
    await Promise.race([signals.requested, run.watched]);
    terminal.print('Stopping …');
  } finally {
    await registry.stopAll(stopOrder);
    // A start that was interrupted fails now. That failure is not reported.
    await run.watched.catch(() => {});
    const infrastructure = await run.infrastructure.catch(() => undefined);
    await infrastructure?.kafka.stop();
    await infrastructure?.postgres.stop();
    signals.ignore();
  }
  terminal.print('Annals is stopped.');
}

interface RunOptions extends SupervisorOptions {
  readonly directory: DataDirectory;
  readonly settings: StartSettings;
  readonly registry: ChildRegistry;
  readonly isStopping: () => boolean;
}

/** `watched` settles only if the start fails, or after everything has been stopped. */
function startRun(options: RunOptions): {
  readonly infrastructure: Promise<Infrastructure>;
  readonly watched: Promise<unknown>;
} {
  const { directory, settings, registry, terminal, isStopping } = options;
  const prepared = prepareRun(options);
  const infrastructure = prepared.then(async ({ ports }) =>
    provideInfrastructure({
      ...options,
      dataDir: directory.path,
      ports,
      keepsData: true,
      spawn: registry.spawn,
    }),
  );
  const console = prepared.then(async ({ development }) =>
    development ? undefined : provideConsole(settings.consoleDirectory, options),
  );
  const parts = Promise.all([prepared, infrastructure, console]);
  const started = parts.then(async ([run, provided, consoleDirectory]) =>
    watchRun(options, { ...run, consoleDirectory }, provided),
  );
  const reserve = {
    path: directory.reserveFile,
    floorBytes: settings.storageFloorBytes,
    isWanted: () => findEarlierPlace(directory.path) === 'local',
    terminal,
  };
  const watched = Promise.all([started, keepReserve(reserve, isStopping)]);
  return { infrastructure, watched };
}

type PreparedRun = Awaited<ReturnType<typeof prepareRun>>;

async function prepareRun(options: RunOptions) {
  const { directory, settings, terminal, sourceRoot } = options;
  rmSync(directory.accessFile, { force: true });
  rmSync(directory.startingFile, { force: true });
  const ended = await endLeftovers(directory.path);
  if (ended.length > 0) {
    terminal.print(`Ended processes that a killed earlier run left behind: ${ended.join(', ')}`);
  }
  await checkPort(settings);
  const instances = planInstances(options, settings.instances);
  const { inspected } = settings;
  const logDirectory = directory.logs;
  return {
    instances,
    development:
      sourceRoot === undefined
        ? undefined
        : await openDevelopment(sourceRoot, { ...options, inspected, logDirectory }),
    ports: await providePorts(directory.portsFile, instances),
    seed: settings.seedFile ? readSeedFile(settings.seedFile) : provideSeed(directory.seedFile),
    seedFile: settings.seedFile ?? directory.seedFile,
    secretKey:
      settings.secretKey ??
      provideSecretKey(directory.secretKeyFile, findEarlierPlace(directory.path) !== undefined),
  };
}

type Run = PreparedRun & { readonly consoleDirectory: string | undefined };

/**
 * Starts the services, writes the access file, and prints that Annals is ready. Processes that are ready are restarted
 * if they die, even while others are still starting.
 */
async function watchRun(options: RunOptions, run: Run, provided: Infrastructure): Promise<unknown> {
  const { directory, settings, terminal } = options;
  const { accessFile, startingFile } = directory;
  const { kafka, postgres } = provided;
  const pids = new Map<string, number>();
  const access = () =>
    toAccess({
      url: toBaseUrl(settings.host, settings.port),
      seed: run.seed,
      kafka: kafka.address,
      databaseUrl: postgres.address,
      processes: toProcesses(pids),
    });
  // Services may be waiting for operators' commands, for example to accept a log or to replace a key.
  let file = startingFile;
  const writeAccess = () => writeSurely(file, access, options);
  const watched: Promise<unknown>[] = [];
  const failed = Promise.withResolvers<never>();
  const watch = (part: StartedService): void => {
    pids.set(part.name, part.process.pid);
    const onStarted = async (pid: number): Promise<void> => {
      pids.set(part.name, pid);
      return writeAccess();
    };
    const kept = keepRunning({ ...part, onStarted }, options);
    kept.catch(failed.reject);
    watched.push(kept);
  };
  if (kafka.local) watch({ name: 'kafka', ...kafka.local });
  if (postgres.local) watch({ name: 'postgres', ...postgres.local });
  await writeAccess();
  await Promise.race([startRunServices(options, run, provided, watch), failed.promise]);
  file = accessFile;
  await writeAccess();
  rmSync(startingFile, { force: true });
  const { development } = run;
  if (development) watch(await development.serveConsole(access().url));
  keepFiles([...directory.keptFiles, run.seedFile], options);
  terminal.print(
    renderWelcome(access(), {
      accessFile,
      isWatched: terminal.isWatched,
      consoleUrl: development?.consoleUrl,
    }),
  );
  return Promise.all(watched);
}

async function startRunServices(
  options: RunOptions,
  run: Run,
  { kafka, postgres }: Infrastructure,
  onReady: (service: StartedService) => void,
): Promise<void> {
  const { env, settings, directory } = options;
  const surroundings = {
    env,
    kafka: kafka.address,
    databaseUrl: postgres.address,
    secretKey: run.secretKey,
    seedFile: run.seedFile,
    accessFile: directory.accessFile,
    consoleDirectory: run.consoleDirectory,
    storagePaths: storagePathsOf({ kafka, postgres }),
    host: settings.host,
    port: settings.port,
  };
  const { ports, development, instances } = run;
  const logDirectory = directory.logs;
  const parts = { surroundings, ports, logDirectory, development, onReady };
  await startServices(instances, { ...options, ...parts });
}

/**
 * Returns where this run's own Kafka and Postgres write. The list is comma-separated, so a path with a comma is
 * omitted.
 */
function storagePathsOf({ kafka, postgres }: Infrastructure): readonly string[] {
  const paths = [kafka, postgres].flatMap(({ local }) => (local ? [local.dataDir] : []));
  return [...new Set(paths)].filter((path) => !path.includes(','));
}

async function checkPort({ host, port }: StartSettings): Promise<void> {
  const verdict = await probePort(port, host);
  switch (verdict) {
    case 'free':
      return;
    case 'EADDRINUSE':
      throw new OperatorError(
        `Port ${port} on ${host} is taken by another program: stop that program, or choose another port, for example PORT=${port + 1} npm start.`,
      );
    case 'EACCES':
      throw new OperatorError(
        `This user may not listen on port ${port}: choose one above 1023, for example PORT=8080 npm start.`,
      );
    default:
      throw new OperatorError(
        `Annals cannot listen on ${host} (${verdict}): set HOST to an address of this machine, or unset it for 127.0.0.1.`,
      );
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof OperatorError || error instanceof StoppingError) return error.message;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `Annals stopped because of a bug in its start script. Please report it:\n${detail}`;
}

const RETRY_AFTER_MS = 1_000;
const WARN_EVERY_MS = 10_000;

/** Writes a JSON file, and retries until it succeeds or Annals stops: a full disk only delays the file. */
async function writeSurely(
  path: string,
  toValue: () => unknown,
  { terminal, isStopping }: { readonly terminal: Terminal; readonly isStopping: () => boolean },
): Promise<void> {
  let warnedAt = 0;
  while (!isStopping()) {
    try {
      return writePrivateJson(path, toValue());
    } catch (error) {
      if (!isOutOfSpace(error)) throw error;
      if (Date.now() - warnedAt >= WARN_EVERY_MS) {
        warnedAt = Date.now();
        terminal.warn(`${path} cannot be written until its disk has space: free some space.`);
      }
    }
    await sleep(RETRY_AFTER_MS);
  }
}
