import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { pino } from 'pino';
import { readEnv } from '../../shared/config/env.ts';
import { createClient } from '../../shared/db/pool.ts';
import { type TopicNames, topicNames } from '../../shared/kafka/topics.ts';
import type { Access } from '../local/data-directory/access-file.ts';
import { OperatorError } from '../local/operator-error.ts';
import { askDatabase } from '../local/postgres/ask-database.ts';

/** The Annals that a command is about. */
export interface Installation {
  readonly kafka: { readonly brokers: readonly string[]; readonly clientId: string };
  readonly databaseUrl: string;
  /** For what only the API may do; undefined where neither the data directory nor the environment says. */
  readonly api:
    | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
    | undefined;
  readonly topics: TopicNames;
  /** Of topics, groups and transactional ids. */
  readonly topicPrefix: string;
  /** Of the libraries below: only what somebody must see. */
  readonly log: pino.Logger;
  /** A new connection each time. */
  readonly connect: () => Promise<Client>;
}

/**
 * From KAFKA_BROKERS and DATABASE_URL, or from what a running `npm start` wrote into its data directory. Throws
 * OperatorError when neither says where Kafka and Postgres are, or the database does not answer.
 */
export async function findInstallation(
  env: NodeJS.ProcessEnv,
  dataDir: string | undefined,
): Promise<Installation> {
  const directory = dataDir ?? env['ANNALS_DATA_DIR'] ?? '.annals';
  const brokers = env['KAFKA_BROKERS'] || readAccess(directory)?.kafka.brokers;
  const databaseUrl = readDatabaseUrl(env) ?? readAccess(directory)?.postgres.url;
  if (brokers === undefined || databaseUrl === undefined) {
    throw new OperatorError(
      `No running Annals is known in ${directory}: run npm start there, name another directory with --data-dir, or set KAFKA_BROKERS and DATABASE_URL.`,
    );
  }
  const topicPrefix = env['ANNALS_TOPIC_PREFIX'] || 'annals';
  const answer = await askDatabase(databaseUrl);
  if (answer !== 'answers') {
    throw new OperatorError(`Postgres does not answer (${answer}): start it, or set DATABASE_URL.`);
  }
  return {
    kafka: { brokers: brokers.split(','), clientId: 'annals-cli' },
    databaseUrl,
    api: findApi(env, readAccess(directory)),
    topics: topicNames(topicPrefix),
    topicPrefix,
    log: pino({ level: 'error' }, pino.destination({ dest: 2, sync: true })),
    async connect() {
      const client = createClient({ url: databaseUrl, applicationName: 'annals-cli' });
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
  };
}

function readDatabaseUrl(env: NodeJS.ProcessEnv): string | undefined {
  const read = readEnv(env);
  const url = read.optionalSecret('DATABASE_URL');
  try {
    read.done();
  } catch (error) {
    throw new OperatorError(error instanceof Error ? error.message : String(error));
  }
  return url;
}

/** ANNALS_URL with ANNALS_API_KEY, or the administrator of a running `npm start`. */
function findApi(env: NodeJS.ProcessEnv, access: Access | undefined): Installation['api'] {
  const [url, apiKey] = [env['ANNALS_URL'], env['ANNALS_API_KEY']];
  if (url && apiKey) return { url, headers: { 'x-api-key': apiKey } };
  if (access === undefined) return undefined;
  const { userName, password } = access.admin;
  const basic = Buffer.from(`${userName}:${password}`).toString('base64');
  return { url: access.url, headers: { authorization: `Basic ${basic}` } };
}

function readAccess(directory: string): Access | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, 'access.json'), 'utf8')) as Access;
  } catch {
    return undefined;
  }
}
