import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { KafkaAccount } from '../../../shared/kafka/kafka-security.ts';
import { findMissingKafkaTool, javaCommand } from '../../prerequisites.mjs';
import { writeIfChanged, writePrivateFile } from '../data-directory/private-file.ts';
import { providePassword } from '../data-directory/provide-password.ts';
import { describeProgramFailure, OperatorError } from '../operator-error.ts';
import { choosePorts } from '../processes/free-port.ts';
import { readLogTail, rotateLog, sizeOf } from '../processes/log-file.ts';
import { type RunningChild, type SpawnChild, spawnChild } from '../processes/spawn-child.ts';
import { untilAnswering } from '../processes/until-answering.ts';
import { silentTerminal, type Terminal } from '../terminal.ts';
import { isBrokerInService } from './ask-broker.ts';
import { openClassArchive } from './class-archive.ts';
import { type KafkaAccess, toKafkaAccess } from './kafka-access.ts';
import { brokerAccount } from './kafka-account.ts';
import { renderKafkaProperties } from './kafka-properties.ts';
import { provideKafkaLibraries } from './libraries/provide-libraries.ts';

export interface StartKafkaOptions {
  /** Holds everything of this broker: configuration, log segments, its own log. */
  readonly dataDir: string;
  /** Exactly this one, or a free one if none is given. The controller has a port of its own. */
  readonly port?: number;
  readonly controllerPort?: number;
  /** Of the broker, beside its own or instead of them. Its listener at `port` has to stay. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether its end may take some seconds longer, so that later starts take less: class-archive.ts. */
  readonly makesClassArchive?: boolean;
  /** For the program that makes the storage, of a first start. */
  readonly formatArguments?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly spawn?: SpawnChild;
  /** Called with lines of its log that report the progress of a recovery. */
  readonly onProgress?: (line: string) => void;
  readonly terminal?: Terminal;
}

export interface StartedKafka {
  readonly access: KafkaAccess;
  readonly port: number;
  readonly controllerPort: number;
  readonly process: RunningChild;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 90_000;
const POLL_INTERVAL_MS = 50;
/**
 * What a broker says before it ends, when its start has failed. One whose controller ended before, on a full disk for
 * instance, can then wait for that controller without end.
 */
const GIVEN_UP = 'Fatal error during broker startup';
const logOptions = [
  '-Dorg.slf4j.simpleLogger.showDateTime=true',
  "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Dorg.slf4j.simpleLogger.log.kafka.server=info',
  // Tells of each segment and snapshot that is read again after an unclean end.
  '-Dorg.slf4j.simpleLogger.log.org.apache.kafka.storage.internals.log.LogLoader=info',
];

/**
 * Starts a real Apache Kafka on this machine and waits until it takes part. On the data directory of
 * an earlier one it goes on with that data, on other ports too. It lets in whoever knows the password, which is made
 * once and kept beside the data.
 */
export async function startKafka(options: StartKafkaOptions): Promise<StartedKafka> {
  const { dataDir, spawn = spawnChild, terminal = silentTerminal, env = process.env } = options;
  const { settings = {}, formatArguments = [] } = options;
  const missing = findMissingKafkaTool(env);
  if (missing !== undefined) throw new OperatorError(missing);

  const java = await openJava({ dataDir, env, spawn, terminal });
  const free = await choosePorts(['port', 'controllerPort'], {});
  const { port, controllerPort } = { ...free, ...options };
  mkdirSync(dataDir, { recursive: true });
  // The log holds every record, and the directory above may be one that others pass through.
  chmodSync(dataDir, 0o700);
  const account = provideAccount(dataDir);
  const target = kafkaLogDirectory(dataDir);
  if (!existsSync(target)) {
    const clusterId = newClusterId();
    await formatStorage(java, { target, account, settings, formatArguments, clusterId });
  }

  const properties = join(dataDir, 'server.properties');
  const place = { brokerPort: port, controllerPort, logDirectory: target, account, settings };
  writeIfChanged(properties, renderKafkaProperties(place));
  const { logFile } = placeOf(dataDir);
  rotateLog(logFile);
  const earlierLog = sizeOf(logFile);
  const broker = await runBroker(java, properties, options.makesClassArchive === true);
  await untilAnswering(broker, {
    name: 'Kafka',
    isAnswering: () => isBrokerInService({ port, account }),
    hasGivenUp: () => readLogTail(logFile, earlierLog).includes(GIVEN_UP),
    progressMark: 'LogLoader',
    onProgress: options.onProgress,
    timeoutMs: START_TIMEOUT_MS,
    pollIntervalMs: POLL_INTERVAL_MS,
    ...placeOf(dataDir),
  });
  return {
    access: toKafkaAccess(`127.0.0.1:${port}`, account),
    port,
    controllerPort,
    process: broker,
    stop: broker.stop,
  };
}

export type JavaOptions = Required<
  Pick<StartKafkaOptions, 'dataDir' | 'env' | 'spawn' | 'terminal'>
>;
type Java = Readonly<Awaited<ReturnType<typeof openJava>>>;

/** What it takes to run a program of Kafka. */
async function openJava({ dataDir, env, spawn, terminal }: JavaOptions) {
  const libraries = await provideKafkaLibraries({ env, spawn, terminal });
  return { dataDir, spawn, libraries, command: javaCommand(env['JAVA_HOME']) };
}

export const kafkaLogDirectory = (dataDir: string): string => join(dataDir, 'data');
const provideAccount = (dataDir: string): KafkaAccount =>
  brokerAccount(providePassword(join(dataDir, 'password')));
const placeOf = (dataDir: string) => ({ dataDir, logFile: join(dataDir, 'kafka.log') });

interface FormatOptions extends Required<Pick<StartKafkaOptions, 'settings' | 'formatArguments'>> {
  readonly target: string;
  readonly clusterId: string;
  readonly account: KafkaAccount;
}

/** Makes the log directory of an empty Kafka with this cluster id, where nothing may be yet. Starts no broker. */
export async function formatKafka(
  target: string,
  clusterId: string,
  options: JavaOptions,
): Promise<void> {
  const java = await openJava(options);
  const account = provideAccount(options.dataDir);
  await formatStorage(java, { target, clusterId, account, settings: {}, formatArguments: [] });
}

/** Formats beside the final place and moves: a first start that was killed half-way leaves nothing that looks formatted. */
async function formatStorage(
  java: Java,
  { target, clusterId, account, settings, formatArguments }: FormatOptions,
): Promise<void> {
  const { dataDir } = java;
  const unfinished = join(dataDir, 'data.new');
  const properties = join(dataDir, 'format.properties');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  const ports = { brokerPort: 9092, controllerPort: 9093 };
  const place = { ...ports, logDirectory: unfinished, account, settings };
  writePrivateFile(properties, renderKafkaProperties(place));

  const tool = await runJava(java, {
    name: 'kafka-format',
    options: ['-Xmx128m', '-XX:TieredStopAtLevel=1'],
    main: 'kafka.tools.StorageTool',
    args: ['format', '--standalone', '-t', clusterId, '-c', properties, ...formatArguments],
  });
  const { code } = await tool.exited;
  rmSync(properties, { force: true });
  if (code !== 0) throw describeProgramFailure('Formatting the storage of Kafka', placeOf(dataDir));
  renameSync(unfinished, target);
}

// The optimising compiler keeps a core busy for more than a minute after a start; the first one is enough here.
const brokerOptions = [
  '-Xmx512m',
  '-XX:+UseG1GC',
  '-XX:MaxGCPauseMillis=20',
  '-XX:TieredStopAtLevel=1',
];

async function runBroker(
  java: Java,
  properties: string,
  makesClassArchive: boolean,
): Promise<RunningChild> {
  const archive = openClassArchive(java, makesClassArchive);
  const broker = await runJava(java, {
    name: 'kafka',
    options: [...brokerOptions, ...archive.options],
    main: 'kafka.Kafka',
    args: [properties],
    ...(makesClassArchive ? { stopTimeoutMs: 60_000 } : {}),
  });
  archive.keepOf(broker);
  return broker;
}

async function runJava(
  java: Java,
  program: {
    readonly name: string;
    readonly options: readonly string[];
    readonly main: string;
    readonly args: readonly string[];
    readonly stopTimeoutMs?: number;
  },
): Promise<RunningChild> {
  return java.spawn({
    name: program.name,
    // The broker, and what makes its storage.
    lockName: 'kafka',
    command: java.command,
    args: [
      ...program.options,
      ...logOptions,
      '-cp',
      join(java.libraries, '*'),
      program.main,
      ...program.args,
    ],
    cwd: java.dataDir,
    logFile: placeOf(java.dataDir).logFile,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: program.stopTimeoutMs ?? 20_000,
  });
}

/** Not with a dash at its beginning: Kafka's command line would take it for an option, once in 64 first starts. */
function newClusterId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? newClusterId() : id;
}
