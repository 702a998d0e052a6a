import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Client } from 'pg';
import { pino } from 'pino';
import { findSessionUrl } from '../../shared/config/database-url.ts';
import { ConfigurationError, type EnvReader, readEnv } from '../../shared/config/env.ts';
import { readFileStoreSettings } from '../../shared/config/file-store-settings.ts';
import { readKafkaSecurity } from '../../shared/config/kafka-security.ts';
import { readTopicPrefix, reportBadSecretKey } from '../../shared/config/service-settings.ts';
import { readStorageSettings, type StorageSettings } from '../../shared/config/storage-settings.ts';
import { createClient } from '../../shared/db/pool.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import type { Observed } from '../../shared/installation/observed.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { findDisk } from '../local/data-directory/open-data-directory.ts';
import { readSecretKey } from '../local/data-directory/secret-key.ts';
import { toKafkaVariables } from '../local/kafka/kafka-access.ts';
import { OperatorError } from '../local/operator-error.ts';
import { findDatabaseFault } from '../local/postgres/find-database-fault.ts';
import { findPostgresDisk } from '../local/postgres/postgres-places.ts';
import { findEarlierPlace } from '../local/provide-infrastructure.ts';
import type { AccessFile } from '../local/supervisor/access-file.ts';

/** The installation on which a command operates. */
export interface Installation extends Observed {
  /** Access to the API; undefined if neither the data directory nor the environment provides it. */
  readonly api:
    | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
    | undefined;
  /** The address of Postgres itself, not of a pooler, because commands need sessions. */
  readonly databaseUrl: string;
  /** The data directory of an `npm start`; undefined if it does not exist. */
  readonly dataDir: string | undefined;
}

/**
 * Reads the installation from KAFKA_BROKERS and DATABASE_URL, or from the files of a running `npm start`. Does not
 * connect yet. Throws OperatorError if neither source provides Kafka and Postgres.
 */
export function findInstallation(
  env: NodeJS.ProcessEnv,
  directoryOption: string | undefined,
): Installation {
  const named = directoryOption ?? (env['ANNALS_DATA_DIR'] || undefined);
  const directory = resolve(named ?? '.annals');
  const access = readAccess(directory);
  const settings = readSettings(withKafkaOf(access, env));
  const { brokers, security } = settings;
  const databaseUrl = settings.databaseUrl ?? access?.postgres?.url;
  if (brokers.length === 0 || databaseUrl === undefined) {
    throw new OperatorError(
      `Annals is not running in ${directory}: run npm start there, use --data-dir for another directory, or set KAFKA_BROKERS and DATABASE_URL.`,
    );
  }
  return {
    kafka: { brokers, security, clientId: 'annals-cli' },
    api: findApi(settings, { access, isNamed: named !== undefined }),
    topics: topicNames(settings.topicPrefix),
    topicPrefix: settings.topicPrefix,
    recordPartitions: settings.recordPartitions,
    storage: toStorage(settings.storage, directory),
    fileStore: settings.fileStore,
    dataDir: existsSync(directory) ? directory : undefined,
    secretKey: settings.secretKey ?? readSecretKey(directory),
    log: pino({ level: 'error' }, pino.destination({ dest: 2, sync: true })),
    databaseUrl,
    connect: () => connect(databaseUrl),
  };
}

/** Returns the storage settings, with the defaults that `npm start` uses for its services. */
function toStorage(configured: StorageSettings, directory: string): StorageSettings {
  if (configured.paths.length > 0 || findEarlierPlace(directory) !== 'local') return configured;
  const paths = new Set([
    findDisk(join(directory, 'kafka')),
    findPostgresDisk(join(directory, 'postgres')),
  ]);
  return { ...configured, paths: [...paths] };
}

async function connect(url: string): Promise<Client> {
  const fault = await findDatabaseFault(url);
  if (fault !== undefined) {
    const verb = fault.remedy === undefined ? 'does not respond' : 'rejects the connection';
    const remedy = fault.remedy ?? 'start it, or set DATABASE_URL';
    throw new Unavailable(`Postgres ${verb} (${fault.reason})`, { remedy });
  }
  const client = createClient({ url, applicationName: 'annals-cli' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

type Settings = ReturnType<typeof toSettings>;

/** Adds the brokers from the data directory, and the account for them. */
function withKafkaOf(access: SavedAccess | undefined, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
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
    fileStore: readFileStoreSettings(read),
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
    // With only one of them, the administrator in the data directory would be used.
    read.problem('ANNALS_USER and ANNALS_PASSWORD belong together: set both or neither');
  }
  return { url, apiKey, userName, password };
}

/**
 * Returns the credentials from the environment, or else the administrator's from the data directory. The
 * administrator's password is sent to a URL other than the directory's only if both the URL and the directory were set
 * explicitly.
 */
function findApi(
  settings: Settings,
  { access, isNamed }: { readonly access: SavedAccess | undefined; readonly isNamed: boolean },
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

/** The data directory of containers contains only keys, because their environment configures Kafka and Postgres. */
type SavedAccess = Omit<AccessFile, 'kafka' | 'postgres'> &
  Partial<Pick<AccessFile, 'kafka' | 'postgres'>>;

function readAccess(directory: string): SavedAccess | undefined {
  for (const file of ['access.json', 'starting.json']) {
    try {
      return JSON.parse(readFileSync(join(directory, file), 'utf8'));
    } catch {
      // Missing or unreadable.
    }
  }
  return undefined;
}
