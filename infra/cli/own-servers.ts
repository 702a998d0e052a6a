import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../../shared/domain/errors.ts';
import { readLog } from '../../shared/installation/inspect-log.ts';
import { withKafka } from '../../shared/kafka/connection.ts';
import { isDirectoryLocked, lockDirectory } from '../local/data-directory/directory-lock.ts';
import { readSecretKey } from '../local/data-directory/secret-key.ts';
import { toKafkaVariables } from '../local/kafka/kafka-access.ts';
import { kafkaLogDirectory, startKafka } from '../local/kafka/start-kafka.ts';
import { OperatorError } from '../local/operator-error.ts';
import { startPostgres } from '../local/postgres/start-postgres.ts';
import { createChildRegistry } from '../local/processes/child-registry.ts';
import { endLeftovers } from '../local/processes/end-leftovers.ts';
import { findEarlierPlace } from '../local/provide-infrastructure.ts';
import { findInstallation, type Installation } from './installation.ts';
import { topicsWithEntries } from './rebuild-log/clear-topics.ts';

const LEADERS_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 200;

/**
 * Runs the work on the installation that the environment or a running `npm start` names; else it starts the Kafka and
 * the Postgres of the data directory for as long as the work takes. `isNew`: the directory may be one that has nothing but
 * the secret key yet.
 */
export async function withServers<Answer>(
  dataDir: string | undefined,
  work: (installation: Installation) => Promise<Answer>,
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<Answer> {
  const { env } = process;
  const directory = resolve(dataDir ?? (env['ANNALS_DATA_DIR'] || '.annals'));
  const namesDatabase = ['DATABASE_URL', 'DATABASE_URL_FILE'].some((name) => env[name]);
  const isNamed = Boolean(env['KAFKA_BROKERS']) && namesDatabase;
  if (isNamed || (existsSync(directory) && isDirectoryLocked(directory)))
    return work(findInstallation(env, dataDir));
  if (isNew && findEarlierPlace(directory) === undefined) requireKeyIn(directory);
  else if (!existsSync(directory)) return work(findInstallation(env, dataDir));
  else if (
    findEarlierPlace(directory) !== 'local' ||
    !existsSync(join(directory, 'postgres', 'data'))
  ) {
    throw new OperatorError(
      `There is no Postgres of npm start in ${directory}: name its data directory with --data-dir, or set KAFKA_BROKERS and DATABASE_URL.`,
    );
  }
  return withOwnServers(directory, work);
}

function requireKeyIn(directory: string): void {
  if (readSecretKey(directory) !== undefined) return;
  throw new OperatorError(
    `Put the secret.key and the seed.json of the installation into ${directory} first, or set KAFKA_BROKERS and DATABASE_URL.`,
  );
}

async function withOwnServers<Answer>(
  directory: string,
  work: (installation: Installation) => Promise<Answer>,
): Promise<Answer> {
  // Prevents a start meanwhile.
  const lock = lockDirectory(directory);
  const registry = createChildRegistry(join(directory, 'run'));
  const kafkaDirectory = join(directory, 'kafka');
  const topicsDirectory = kafkaLogDirectory(kafkaDirectory);
  let isUnused = !existsSync(topicsDirectory);
  try {
    await endLeftovers(directory);
    const { spawn } = registry;
    const kafka = await startKafka({ dataDir: kafkaDirectory, spawn });
    const postgres = await startPostgres({ dataDir: join(directory, 'postgres'), spawn });
    const named = { ...toKafkaVariables(kafka.access), DATABASE_URL: postgres.url };
    const installation = findInstallation({ ...process.env, ...named }, directory);
    await waitForLeaders(installation);
    try {
      return await work(installation);
    } finally {
      isUnused &&= await isEmpty(installation);
    }
  } finally {
    await registry.stopAll(['kafka', 'postgres']);
    // The next start would take it for the Kafka of the data, and wait for its topics instead of telling that it is lost.
    if (isUnused) rmSync(topicsDirectory, { recursive: true, force: true });
    lock.release();
  }
}

async function isEmpty(installation: Installation): Promise<boolean> {
  const reading = withKafka(installation, (kafka) => readLog(kafka, installation.topics));
  return (await unlessUnavailable(reading))?.topics.size === 0;
}

/** Kafka answers before the partitions on its disk have a leader again. */
async function waitForLeaders(installation: Installation): Promise<void> {
  const deadline = Date.now() + LEADERS_WITHIN_MS;
  await withKafka(installation, async (kafka) => {
    while ((await unlessUnavailable(topicsWithEntries(kafka, installation))) === undefined) {
      if (Date.now() > deadline)
        throw new OperatorError('Kafka does not bring back its topics: its log says why.');
      await sleep(LOOK_EVERY_MS);
    }
  });
}

async function unlessUnavailable<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Unavailable) return undefined;
    throw error;
  }
}
