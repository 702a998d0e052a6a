import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Client } from 'pg';
import { pino } from 'pino';
import type { Observed } from '../../services/operations/installation/observed.ts';
import { ConfigurationError } from '../../shared/config/configuration-error.ts';
import { findSessionUrl } from '../../shared/config/database-url.ts';
import { type EnvReader, readEnv } from '../../shared/config/env.ts';
import { readKafkaSecurity } from '../../shared/config/kafka-security.ts';
import { readTopicPrefix, reportBadSecretKey } from '../../shared/config/service-settings.ts';
import { readStorageSettings, type StorageSettings } from '../../shared/config/storage-settings.ts';
import { createClient } from '../../shared/db/pool.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import type { AccessFile } from '../local/data-directory/access-file.ts';
import { findDisk } from '../local/data-directory/find-disk.ts';
import { readSecretKey } from '../local/data-directory/secret-key.ts';
import { toKafkaVariables } from '../local/kafka/kafka-access.ts';
import { OperatorError } from '../local/operator-error.ts';
import { findDatabaseFault } from '../local/postgres/ask-database.ts';
import { findPostgresDisk } from '../local/postgres/postgres-places.ts';
import { findEarlierPlace } from '../local/provide-infrastructure.ts';

/** The installation that a command works on. */
export interface Installation extends Observed {
  /** Access to the API; undefined if neither the data directory nor the environment has it. */
  readonly api:
    | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
    | undefined;
  /** For sessions. */
  readonly databaseUrl: string;
  /** The data directory of an `npm start`; undefined if there is none. */
  readonly dataDir: string | undefined;
}

/**
 * Reads the installation from KAFKA_BROKERS and DATABASE_URL, or from the files of a running `npm start`. Connects to
 * nothing yet. Throws OperatorError if neither names Kafka and Postgres.
 */
export function findInstallation(
  env: NodeJS.ProcessEnv,
  givenDirectory: string | undefined,
): Installation {
  const named = givenDirectory ?? (env['ANNALS_DATA_DIR'] || undefined);
  const directory = resolve(named ?? '.annals');
  const access = readAccess(directory);
  const settings = readSettings(withKafkaOf(access, env));
  const { brokers, security } = settings;
  const databaseUrl = settings.databaseUrl ?? access?.postgres?.url;
  if (brokers.length === 0 || databaseUrl === undefined) {
    throw new OperatorError(
      `No running Annals is known in ${directory}: run npm start there, name another directory with --data-dir, or set KAFKA_BROKERS and DATABASE_URL.`,
    );
  }
  return {
    kafka: { brokers, security, clientId: 'annals-cli' },
    api: findApi(settings, { access, isNamed: named !== undefined }),
    topics: topicNames(settings.topicPrefix),
    topicPrefix: settings.topicPrefix,
    recordPartitions: settings.recordPartitions,
    storage: toStorage(settings.storage, directory),
    dataDir: existsSync(directory) ? directory : undefined,
    secretKey: settings.secretKey ?? readSecretKey(directory),
    log: pino({ level: 'error' }, pino.destination({ dest: 2, sync: true })),
    databaseUrl,
    connect: () => connect(databaseUrl),
  };
}

/** The storage settings, with the defaults that `npm start` gives its services. */
function toStorage(given: StorageSettings, directory: string): StorageSettings {
  if (given.paths.length > 0 || findEarlierPlace(directory) !== 'local') return given;
  const paths = new Set([
    findDisk(join(directory, 'kafka')),
    findPostgresDisk(join(directory, 'postgres')),
  ]);
  return { ...given, paths: [...paths] };
}

async function connect(url: string): Promise<Client> {
  const fault = await findDatabaseFault(url);
  if (fault !== undefined) {
    const verb = fault.remedy === undefined ? 'does not answer' : 'refuses this client';
    const remedy = fault.remedy ?? 'start it, or set DATABASE_URL';
    throw new Unavailable(`Postgres ${verb} (${fault.reason})`, { remedy });
  }
  const client = createClient({ url, applicationName: 'annals-cli' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

type Settings = ReturnType<typeof toSettings>;

/** Brokers from the data directory, with their account. */
function withKafkaOf(access: NotedAccess | undefined, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (env['KAFKA_BROKERS'] || access?.kafka === undefined) return env;
  return { ...env, ...toKafkaVariables(access.kafka) };
}

function readSettings(env: NodeJS.ProcessEnv): Settings {
  const read = readEnv(env);
  const settings = toSettings(read);
  try {
    read.done();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new OperatorError(error.message);
  }
  return settings;
}

function toSettings(read: EnvReader) {
  const brokers = read.list('KAFKA_BROKERS', []);
  return {
    brokers,
    security: readKafkaSecurity(read, brokers),
    databaseUrl: findSessionUrl(read)?.url,
    topicPrefix: readTopicPrefix(read),
    recordPartitions: read.int('ANNALS_RECORD_PARTITIONS', { fallback: 4, min: 1, max: 1000 }),
    storage: readStorageSettings(read),
    secretKey: reportBadSecretKey(read, read.optionalSecret('ANNALS_SECRET_KEY')),
    ...readApi(read),
  };
}

function readApi(read: EnvReader) {
  const url = read.optionalText('ANNALS_URL');
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    read.problem(`ANNALS_URL must be an address such as http://127.0.0.1:8080, got '${url}'`);
  }
  const apiKey = read.optionalSecret('ANNALS_API_KEY');
  const userName = read.optionalText('ANNALS_USER');
  const password = read.optionalSecret('ANNALS_PASSWORD');
  if ((userName === undefined) !== (password === undefined)) {
    // Otherwise the administrator of the data directory would be used instead.
    read.problem('ANNALS_USER and ANNALS_PASSWORD belong together: set both, or none');
  }
  return { url, apiKey, userName, password };
}

/**
 * The credentials of the environment, else of the administrator in the data directory. This password is sent to another
 * url than the directory's own only if both were named explicitly.
 */
function findApi(
  settings: Settings,
  { access, isNamed }: { readonly access: NotedAccess | undefined; readonly isNamed: boolean },
): Installation['api'] {
  const url = settings.url ?? access?.url;
  if (url === undefined) return undefined;
  const { apiKey, userName, password } = settings;
  if (apiKey !== undefined) return { url, headers: { 'x-api-key': apiKey } };
  const admin = settings.url === undefined || isNamed ? access?.admin : undefined;
  const user = userName !== undefined && password !== undefined ? { userName, password } : admin;
  if (user === undefined) return undefined;
  const basic = Buffer.from(`${user.userName}:${user.password}`).toString('base64');
  return { url, headers: { authorization: `Basic ${basic}` } };
}

/** The directory of containers has keys only: their environment names Kafka and Postgres. */
type NotedAccess = Omit<AccessFile, 'kafka' | 'postgres'> &
  Partial<Pick<AccessFile, 'kafka' | 'postgres'>>;

function readAccess(directory: string): NotedAccess | undefined {
  for (const file of ['access.json', 'starting.json']) {
    try {
      return JSON.parse(readFileSync(join(directory, file), 'utf8'));
    } catch {
      // Missing or unreadable.
    }
  }
  return undefined;
}
