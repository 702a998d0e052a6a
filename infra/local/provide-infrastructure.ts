import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { databaseNames, findSessionUrl, type NamedUrl } from '../../shared/config/database-url.ts';
import { readEnv } from '../../shared/config/env.ts';
import { readMarkedDatabase } from '../../shared/installation/mark-table.ts';
import { checkDatabase, checkKafka } from './check-environment.ts';
import { type ChosenPlace, choosePlace, type InfraPlace } from './choose-place.ts';
import { findDisk, hasData } from './data-directory/open-data-directory.ts';
import {
  providePassword,
  readTextIfPresent,
  writePrivateFile,
} from './data-directory/private-file.ts';
import { untilRoom } from './data-directory/until-room.ts';
import { isDockerResponding } from './docker/find-docker-engine.ts';
import type { KafkaAccess } from './kafka/kafka-access.ts';
import { findStrayTopics, strayRemedy } from './kafka/recovery/partition-directory.ts';
import { kafkaLogDirectory, startKafka } from './kafka/start-kafka.ts';
import { OperatorError } from './operator-error.ts';
import { withClient } from './postgres/find-database-fault.ts';
import { describeRedirection, findPostgresDisk } from './postgres/postgres-places.ts';
import { startPostgres } from './postgres/start-postgres.ts';
import type { RunningChild, SpawnChild } from './processes/spawn-child.ts';
import type { Terminal } from './terminal.ts';

/** A Kafka or a Postgres that responds. */
interface ProvidedPart<Address> {
  readonly address: Address;
  /** Set for a local process, which is restarted at the same address if it dies. */
  readonly local?: {
    readonly process: RunningChild;
    /** A directory on the disk that the process fills. */
    readonly dataDir: string;
    startAgain(): Promise<RunningChild>;
  };
  /** Stops the part. Does nothing for a configured Kafka or Postgres. */
  stop(): Promise<void>;
}

export interface Infrastructure {
  readonly kafka: ProvidedPart<KafkaAccess>;
  /** Its address is the URL of a database. */
  readonly postgres: ProvidedPart<string>;
}

export const infrastructurePorts = ['kafka', 'kafkaController', 'postgres'] as const;
export type InfrastructurePorts = Readonly<Record<(typeof infrastructurePorts)[number], number>>;

export interface ProvideInfrastructureOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
  readonly ports: InfrastructurePorts;
  /** False in tests, so that containers leave no volumes behind. */
  readonly keepsData: boolean;
  readonly spawn: SpawnChild;
  readonly isStopping: () => boolean;
  readonly terminal: Terminal;
}

type Part = keyof Infrastructure;

/**
 * Provides Kafka and Postgres, each from the first available source: the environment, a Docker engine, local processes.
 * Prints the source.
 */
export async function provideInfrastructure(
  options: ProvideInfrastructureOptions,
): Promise<Infrastructure> {
  const named = await checkKafka(options.env);
  const database = readDatabase(options.env);
  for (const each of readNamedUrls(options.env)) await checkDatabase(each);
  const databaseUrl = database?.url;
  const missing: Part[] = [
    ...(named ? [] : ['kafka' as const]),
    ...(databaseUrl ? [] : ['postgres' as const]),
  ];

  const chosen = await choosePlaceOf(missing, options);
  options.terminal.print(describeSources({ brokers: named?.brokers, database, chosen }));
  if (named && databaseUrl) {
    return { kafka: fromEnvironment(named), postgres: fromEnvironment(databaseUrl) };
  }
  const progress = new Map<Part, string>();
  const start =
    chosen.place === 'docker' ? await openDocker(options) : openLocal(options, progress);
  const isFirstStart = !existsSync(join(options.dataDir, 'kafka', 'data'));
  // An empty Kafka is started only if Postgres does not contain the data of a log either.
  const isLost = !named && isFirstStart && chosen.place === 'local';
  const known = isLost ? await provideKnownPostgres(options, { databaseUrl, start }) : undefined;
  const [kafka, postgres] = await options.terminal.during(
    isFirstStart ? 'Starting Kafka and Postgres for the first time' : 'Starting Kafka and Postgres',
    Promise.all([
      named ? fromEnvironment(named) : start.kafka(),
      known ?? (databaseUrl ? fromEnvironment(databaseUrl) : start.postgres()),
    ]),
    () => [...progress].map(([part, line]) => `${part}: ${line.slice(0, 200)}`).join('; '),
  );
  return { kafka, postgres };
}

/**
 * Returns the Postgres of earlier starts; undefined if none exists. Throws OperatorError if it contains the data of a
 * log, because an empty Kafka must not silently replace the lost one.
 */
async function provideKnownPostgres(
  { dataDir }: ProvideInfrastructureOptions,
  { databaseUrl, start }: { readonly databaseUrl: string | undefined; readonly start: Starters },
): Promise<Infrastructure['postgres'] | undefined> {
  if (!databaseUrl && !existsSync(join(dataDir, 'postgres', 'data'))) return undefined;
  const postgres = databaseUrl ? fromEnvironment(databaseUrl) : await start.postgres();
  const { mark, positions } = await withClient(postgres.address, readMarkedDatabase);
  if (mark === undefined && positions.length === 0) return postgres;
  await postgres.stop();
  throw new OperatorError(
    `The Kafka data of ${dataDir} is missing, but Postgres contains the data of its log. Restore a backup, or rewrite the log from Postgres: npm run annals -- rebuild-log --data-dir ${dataDir}`,
  );
}

/**
 * Reads the settings in the same way as the services: from variables, or from the files named by variables that end in
 * `_FILE`.
 */
function readDatabase(env: NodeJS.ProcessEnv): NamedUrl | undefined {
  const read = readEnv(env);
  const database = findSessionUrl(read);
  read.done();
  return database;
}

/** Returns every address of the primary. With a pooler, there are two, and services use both. */
function readNamedUrls(env: NodeJS.ProcessEnv): readonly NamedUrl[] {
  const read = readEnv(env);
  return databaseNames.flatMap((name) => {
    const url = read.optionalSecret(name);
    return url ? [{ name, url }] : [];
  });
}

type Starters = { readonly [Name in Part]: () => Promise<Infrastructure[Name]> };

function fromEnvironment<Address>(address: Address): ProvidedPart<Address> {
  return { address, stop: async () => {} };
}

/** `progress` receives the recovery progress of each server until it responds. */
function openLocal(options: ProvideInfrastructureOptions, progress: Map<Part, string>): Starters {
  const reportTo = (part: Part) => (line: string) => void progress.set(part, line);
  const { env, dataDir, ports, spawn, terminal } = options;
  const kafkaOptions = {
    dataDir: join(dataDir, 'kafka'),
    port: ports.kafka,
    controllerPort: ports.kafkaController,
    // Only a test run waits for the archive, because a person who stops Annals does not want to wait.
    makesClassArchive: !options.keepsData,
    env,
    spawn,
    terminal,
    onProgress: reportTo('kafka'),
  };
  const postgresOptions = {
    dataDir: join(dataDir, 'postgres'),
    port: ports.postgres,
    spawn,
    onProgress: reportTo('postgres'),
  };
  const kafkaData = kafkaLogDirectory(kafkaOptions.dataDir);
  const postgresData = join(postgresOptions.dataDir, 'data');
  const kafka = async () => {
    await untilRoom({ name: 'kafka', path: findDisk(kafkaOptions.dataDir) }, options);
    const started = await startKafka(kafkaOptions);
    progress.delete('kafka');
    endWithoutDirectory(started.process, kafkaData);
    warnOfStray(kafkaOptions.dataDir, terminal);
    return started;
  };
  const postgres = async () => {
    await untilRoom({ name: 'postgres', path: findPostgresDisk(postgresOptions.dataDir) }, options);
    const started = await startPostgres(postgresOptions);
    progress.delete('postgres');
    endWithoutDirectory(started.process, postgresData);
    const redirection = describeRedirection(postgresOptions.dataDir);
    if (redirection !== undefined) terminal.warn(redirection);
    return started;
  };
  return {
    async kafka() {
      const { access, process, stop } = await kafka();
      const startAgain = async (): Promise<RunningChild> => {
        requireDirectory(
          kafkaData,
          `its log is lost, and writes fail. ${describeRestore(dataDir)}`,
        );
        return (await kafka()).process;
      };
      const disk = findDisk(kafkaOptions.dataDir);
      return { address: access, local: { process, dataDir: disk, startAgain }, stop };
    },
    async postgres() {
      const { url, process, stop } = await postgres();
      const startAgain = async (): Promise<RunningChild> => {
        requireDirectory(
          postgresData,
          'its tables are lost. Stop Annals and start it again; a new Postgres is then filled from Kafka.',
        );
        return (await postgres()).process;
      };
      const disk = findPostgresDisk(postgresOptions.dataDir);
      return { address: url, local: { process, dataDir: disk, startAgain }, stop };
    },
  };
}

const describeRestore = (dataDir: string): string =>
  `Stop Annals, then restore a backup, or rewrite the log from Postgres: npm run annals -- rebuild-log --data-dir ${dataDir}`;

function warnOfStray(dataDir: string, terminal: Terminal): void {
  const topics = findStrayTopics(kafkaLogDirectory(dataDir));
  if (topics.length === 0) return;
  terminal.warn(
    `Kafka has lost its metadata and set ${topics.join(', ')} aside. To restore them, ${strayRemedy}.`,
  );
}

async function openDocker(options: ProvideInfrastructureOptions): Promise<Starters> {
  const { dataDir, ports, keepsData } = options;
  const { startKafkaContainer, startPostgresContainer } = await import(
    './docker/start-containers.ts'
  );
  const volumes = keepsData ? provideVolumePrefix(dataDir) : undefined;
  const placeOf = (part: Part) => ({
    port: ports[part],
    volume: volumes && `${volumes}-${part}`,
    password: providePassword(join(dataDir, part, 'password')),
  });
  return {
    kafka: async () => startKafkaContainer(placeOf('kafka')),
    postgres: async () => startPostgresContainer(placeOf('postgres')),
  };
}

async function choosePlaceOf(
  missing: readonly Part[],
  { env, dataDir, terminal }: ProvideInfrastructureOptions,
): Promise<ChosenPlace> {
  if (missing.length === 0) return { place: 'local', reason: 'not needed' };
  return choosePlace({
    forced: env['ANNALS_INFRA'],
    existingPlace: findEarlierPlace(dataDir),
    dataDir,
    async findDockerObstacle() {
      if (!(await isDockerResponding(env))) {
        return { what: 'no Docker engine responds', remedy: 'start Docker' };
      }
      // Loaded only here, because loading takes a moment and is pointless without an engine.
      const { fetchImages } = await import('./docker/start-containers.ts');
      return terminal.during(
        `Checking for the Docker images of ${missing.join(' and ')}, and pulling missing ones`,
        fetchImages(missing),
      );
    },
  });
}

const volumePrefixFile = (dataDir: string): string => join(dataDir, 'docker-volumes');

function provideVolumePrefix(dataDir: string): string {
  const existing = readTextIfPresent(volumePrefixFile(dataDir))?.trim();
  if (existing) return existing;
  const prefix = `annals-${randomBytes(4).toString('hex')}`;
  writePrivateFile(volumePrefixFile(dataDir), `${prefix}\n`);
  return prefix;
}

/** Returns where this data directory's Kafka or Postgres stores its data; undefined before its first start. */
export function findEarlierPlace(dataDir: string): InfraPlace | undefined {
  if (existsSync(volumePrefixFile(dataDir))) return 'docker';
  return hasData(dataDir) ? 'local' : undefined;
}

function describeSources(sources: {
  readonly brokers: string | undefined;
  readonly database: NamedUrl | undefined;
  readonly chosen: ChosenPlace;
}): string {
  const { brokers, database, chosen } = sources;
  const place = chosen.place === 'docker' ? 'in Docker' : 'on this machine';
  const started = `${place} (${chosen.reason})`;
  if (!brokers && !database) return `Kafka and Postgres run ${started}`;
  const kafka = brokers ? `at ${brokers} (KAFKA_BROKERS)` : started;
  const postgres = database ? `at ${new URL(database.url).host} (${database.name})` : started;
  return `Kafka runs ${kafka}, Postgres ${postgres}`;
}

const CHECK_EVERY_MS = 2_000;

/** Kills a server whose directory was deleted, because it would acknowledge writes to unlinked files. */
function endWithoutDirectory(server: RunningChild, directory: string): void {
  const timer = setInterval(() => {
    if (server.hasExited()) clearInterval(timer);
    else if (!existsSync(directory)) server.kill();
  }, CHECK_EVERY_MS);
  timer.unref();
}

/** Throws OperatorError instead of letting a server start with an empty directory in place of its former one. */
function requireDirectory(directory: string, consequence: string): void {
  if (existsSync(directory)) return;
  throw new OperatorError(`${directory} was deleted while Annals was running: ${consequence}`);
}
