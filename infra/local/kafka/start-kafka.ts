import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { KafkaAccount } from '../../../shared/kafka/kafka-security.ts';
import { findMissingKafkaTool, javaCommand } from '../../prerequisites.mjs';
import {
  providePassword,
  writeIfChanged,
  writePrivateFile,
} from '../data-directory/private-file.ts';
import { OperatorError } from '../operator-error.ts';
import { choosePorts } from '../processes/free-port.ts';
import { readLogTail, rotateLog, sizeOf } from '../processes/log-file.ts';
import { type RunningChild, type SpawnChild, spawnChild } from '../processes/spawn-child.ts';
import { describeProgramFailure, untilResponding } from '../processes/until-responding.ts';
import { silentTerminal, type Terminal } from '../terminal.ts';
import { openClassArchive } from './class-archive.ts';
import { type KafkaAccess, toKafkaAccess } from './kafka-access.ts';
import { brokerAccount, renderKafkaProperties, singleBrokerSettings } from './kafka-properties.ts';
import { provideKafkaLibraries } from './provide-libraries.ts';

export interface StartKafkaOptions {
  /** Contains all files of this broker: its configuration, its data, and the log file of its process. */
  readonly dataDir: string;
  /** The port to use. Defaults to a free port. The controller has a separate port. */
  readonly port?: number;
  readonly controllerPort?: number;
  /** Settings of the broker, which supplement or replace its defaults. The listener at `port` must remain. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether the broker may spend a few more seconds when it stops, to make later starts faster (class-archive.ts). */
  readonly makesClassArchive?: boolean;
  /** Arguments for the program that formats the storage on the first start. */
  readonly formatArguments?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly spawn?: SpawnChild;
  /** Called with log lines that report the progress of a recovery. */
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
 * Logged by a broker whose start has failed. If its controller has stopped, for example on a full disk, the broker may
 * wait for the controller forever instead of exiting.
 */
const START_FAILED = 'Fatal error during broker startup';
const logOptions = [
  '-Dorg.slf4j.simpleLogger.showDateTime=true',
  "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Dorg.slf4j.simpleLogger.log.kafka.server=info',
  // Logs each segment and snapshot that is recovered after an unclean shutdown.
  '-Dorg.slf4j.simpleLogger.log.org.apache.kafka.storage.internals.log.LogLoader=info',
];

/**
 * Starts a real Apache Kafka on this machine and waits until it is in service. Reuses existing data in the data
 * directory, even if the ports have changed. Accepts clients with the password, which is generated once and stored next
 * to the data.
 */
export async function startKafka(options: StartKafkaOptions): Promise<StartedKafka> {
  const missing = findMissingKafkaTool(options.env ?? process.env);
  if (missing !== undefined) throw new OperatorError(missing);

  const java = await openJava(options);
  const { dataDir, settings } = java;
  const free = await choosePorts(['port', 'controllerPort'], {});
  const { port, controllerPort } = { ...free, ...options };
  mkdirSync(dataDir, { recursive: true });
  // The log contains every record, and other users may be able to traverse the parent directory.
  chmodSync(dataDir, 0o700);
  const account = provideAccount(dataDir);
  const target = kafkaLogDirectory(dataDir);
  if (!existsSync(target)) await formatKafka(target, newClusterId(), options);

  const properties = join(dataDir, 'server.properties');
  const place = { brokerPort: port, controllerPort, logDirectory: target, account, settings };
  writeIfChanged(properties, renderKafkaProperties(place));
  const { logFile } = placeOf(dataDir);
  rotateLog(logFile);
  const earlierLog = sizeOf(logFile);
  const broker = await runBroker(java, properties, options.makesClassArchive === true);
  await untilResponding(broker, {
    name: 'Kafka',
    isResponding: () => isInService(port, account, { ...singleBrokerSettings, ...settings }),
    hasFailed: () => readLogTail(logFile, earlierLog).includes(START_FAILED),
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

/** A broker responds shortly before the controller has registered it, and lists itself once it is registered. */
async function isInService(
  port: number,
  account: KafkaAccount,
  settings: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { withKafka } = await import('../../../shared/kafka/connection.ts');
  const kafka = {
    brokers: [`127.0.0.1:${port}`],
    security: { tls: undefined, account },
    clientId: 'annals-start',
  };
  return withKafka({ kafka, log: pino({ level: 'silent' }) }, ({ onBroker }) =>
    onBroker(Number(settings['node.id']), async () => true),
  ).catch(() => false);
}

type Java = Readonly<Awaited<ReturnType<typeof openJava>>>;

/** Returns what is needed to run one of Kafka's Java programs. */
async function openJava(options: StartKafkaOptions) {
  const { dataDir, spawn = spawnChild, terminal = silentTerminal, env = process.env } = options;
  const { settings = {}, formatArguments = [] } = options;
  const libraries = await provideKafkaLibraries({ env, spawn, terminal });
  const command = javaCommand(env['JAVA_HOME']);
  return { dataDir, spawn, libraries, command, settings, formatArguments };
}

export const kafkaLogDirectory = (dataDir: string): string => join(dataDir, 'data');
const provideAccount = (dataDir: string): KafkaAccount =>
  brokerAccount(providePassword(join(dataDir, 'password')));
const placeOf = (dataDir: string) => ({ dataDir, logFile: join(dataDir, 'kafka.log') });

/**
 * Creates the log directory of an empty Kafka with this cluster id; `target` must not exist. Does not start a broker.
 * Formats next to the final path and moves the result, so that a first start that is killed midway leaves nothing that
 * looks formatted.
 */
export async function formatKafka(
  target: string,
  clusterId: string,
  options: StartKafkaOptions,
): Promise<void> {
  const java = await openJava(options);
  const { dataDir, settings, formatArguments } = java;
  const unfinished = join(dataDir, 'data.new');
  const properties = join(dataDir, 'format.properties');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  const ports = { brokerPort: 9092, controllerPort: 9093 };
  const account = provideAccount(dataDir);
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

// The optimizing compiler (C2) would keep a core busy for more than a minute after the start. The first compiler (C1) is fast
// enough here.
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
  archive.keepAfter(broker.exited);
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
    // Shared by the broker and the program that formats its storage.
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

/**
 * Returns an id that does not begin with a dash, which Kafka's command line would parse as an option (on one in 64
 * first starts).
 */
function newClusterId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? newClusterId() : id;
}
