import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Client } from 'pg';
import { pino } from 'pino';
import { ConfigurationError } from '../../shared/config/configuration-error.ts';
import { type EnvReader, readEnv } from '../../shared/config/env.ts';
import { readKafkaSecurity } from '../../shared/config/kafka-security.ts';
import { readStorageSettings, type StorageSettings } from '../../shared/config/storage-settings.ts';
import { createClient } from '../../shared/db/pool.ts';
import type { KafkaAddress } from '../../shared/kafka/connection.ts';
import { type TopicNames, topicNames } from '../../shared/kafka/topics.ts';
import type { Access } from '../local/data-directory/access-file.ts';
import { findDisk } from '../local/data-directory/find-disk.ts';
import { readSecretKey } from '../local/data-directory/secret-key.ts';
import { toKafkaVariables } from '../local/kafka/kafka-access.ts';
import { OperatorError } from '../local/operator-error.ts';
import { askDatabase } from '../local/postgres/ask-database.ts';
import { findPostgresDisk } from '../local/postgres/postgres-places.ts';
import { findEarlierPlace } from '../local/provide-infrastructure.ts';

/** The Annals that a command is about. */
export interface Installation {
  readonly kafka: KafkaAddress;
  readonly databaseUrl: string;
  /** For what only the API may do; undefined where neither the data directory nor the environment says. */
  readonly api:
    | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
    | undefined;
  readonly topics: TopicNames;
  /** Of topics, groups and transactional ids. */
  readonly topicPrefix: string;
  /** Of topics that are made. */
  readonly recordPartitions: number;
  /** The disks of Kafka and Postgres, as far as this machine has them. */
  readonly storage: StorageSettings;
  /** Of an `npm start`; undefined where there is none. */
  readonly dataDir: string | undefined;
  /** The key under which secrets are sealed, if this program was told. */
  readonly secretKey: string | undefined;
  /** Of the libraries below: only what somebody must see. */
  readonly log: pino.Logger;
  /** A new connection each time. Throws OperatorError when the database does not answer. */
  readonly connect: () => Promise<Client>;
}

/**
 * From KAFKA_BROKERS and DATABASE_URL, or from what a running `npm start` wrote into its data directory. Nothing is
 * asked yet. Throws OperatorError when neither says where Kafka and Postgres are.
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
    databaseUrl,
    api: findApi(settings, { access, isNamed: named !== undefined }),
    topics: topicNames(settings.topicPrefix),
    topicPrefix: settings.topicPrefix,
    recordPartitions: settings.recordPartitions,
    storage: toStorage(settings.storage, directory),
    dataDir: existsSync(directory) ? directory : undefined,
    secretKey: settings.secretKey ?? readSecretKey(directory),
    log: pino({ level: 'error' }, pino.destination({ dest: 2, sync: true })),
    connect: () => connect(databaseUrl),
  };
}

/** As `npm start` tells its services, where nobody says otherwise. */
function toStorage(given: StorageSettings, directory: string): StorageSettings {
  if (given.paths.length > 0 || findEarlierPlace(directory) !== 'local') return given;
  const paths = new Set([
    findDisk(join(directory, 'kafka')),
    findPostgresDisk(join(directory, 'postgres')),
  ]);
  return { ...given, paths: [...paths] };
}

async function connect(url: string): Promise<Client> {
  const answer = await askDatabase(url);
  if (answer !== 'answers') {
    throw new OperatorError(`Postgres does not answer (${answer}): start it, or set DATABASE_URL.`);
  }
  const client = createClient({ url, applicationName: 'annals-cli' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

type Settings = ReturnType<typeof toSettings>;

/** Brokers that the environment does not name, with the account that they ask for. */
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
    databaseUrl: read.optionalSecret('DATABASE_URL'),
    topicPrefix: read.text('ANNALS_TOPIC_PREFIX', 'annals'),
    recordPartitions: read.int('ANNALS_RECORD_PARTITIONS', { fallback: 4, min: 1, max: 1000 }),
    storage: readStorageSettings(read),
    secretKey: read.optionalSecret('ANNALS_SECRET_KEY'),
    url: read.optionalText('ANNALS_URL'),
    apiKey: read.optionalSecret('ANNALS_API_KEY'),
    userName: read.optionalText('ANNALS_USER'),
    password: read.optionalSecret('ANNALS_PASSWORD'),
  };
}

/**
 * As whom the environment says; else as the administrator that the data directory tells of. His password goes to
 * another url than the directory's own only where both were named.
 */
function findApi(
  settings: Settings,
  { access, isNamed }: { readonly access: NotedAccess | undefined; readonly isNamed: boolean },
): Installation['api'] {
  const url = settings.url ?? access?.url;
  if (url === undefined) return undefined;
  const { apiKey, userName, password } = settings;
  if ((userName === undefined) !== (password === undefined)) {
    // Else the administrator of the data directory would act in that user's place.
    throw new OperatorError('ANNALS_USER and ANNALS_PASSWORD belong together: set both, or none.');
  }
  if (apiKey !== undefined) return { url, headers: { 'x-api-key': apiKey } };
  const admin = settings.url === undefined || isNamed ? access?.admin : undefined;
  const user = userName !== undefined && password !== undefined ? { userName, password } : admin;
  if (user === undefined) return undefined;
  const basic = Buffer.from(`${user.userName}:${user.password}`).toString('base64');
  return { url, headers: { authorization: `Basic ${basic}` } };
}

/** That of containers has keys, and no Kafka and Postgres: their environment names those. */
type NotedAccess = Omit<Access, 'kafka' | 'postgres'> & Partial<Pick<Access, 'kafka' | 'postgres'>>;

function readAccess(directory: string): NotedAccess | undefined {
  for (const file of ['access.json', 'starting.json']) {
    try {
      return JSON.parse(readFileSync(join(directory, file), 'utf8'));
    } catch {
      // Not there, or not for us to read.
    }
  }
  return undefined;
}
