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
const POLL_INTERVAL_MS = 200;

/**
 * Runs `work` on the installation that the environment specifies, or on a running `npm start`. If there is neither,
 * starts the Kafka and the Postgres of the data directory for the duration of `work`. `isNew`: the directory may
 * contain only the secret key.
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
      `${directory} does not contain a Postgres that npm start created: set --data-dir to the data directory of npm start, or set KAFKA_BROKERS and DATABASE_URL.`,
    );
  }
  return withOwnServers(directory, work);
}

function requireKeyIn(directory: string): void {
  if (readSecretKey(directory) !== undefined) return;
  throw new OperatorError(
    `First copy secret.key and seed.json of the installation to ${directory}, or set KAFKA_BROKERS and DATABASE_URL.`,
  );
}

async function withOwnServers<Answer>(
  directory: string,
  work: (installation: Installation) => Promise<Answer>,
): Promise<Answer> {
  // Prevents Annals from being started in the meantime.
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
    // Otherwise the next start would treat it as the Kafka of the data directory, and wait for its topics instead of
    // reporting the loss.
    if (isUnused) rmSync(topicsDirectory, { recursive: true, force: true });
    lock.release();
  }
}

async function isEmpty(installation: Installation): Promise<boolean> {
  const reading = withKafka(installation, (kafka) => readLog(kafka, installation.topics));
  return (await unlessUnavailable(reading))?.topics.size === 0;
}

/** Kafka responds before the partitions on its disk have leaders again. */
async function waitForLeaders(installation: Installation): Promise<void> {
  const deadline = Date.now() + LEADERS_WITHIN_MS;
  await withKafka(installation, async (kafka) => {
    while ((await unlessUnavailable(topicsWithEntries(kafka, installation))) === undefined) {
      if (Date.now() > deadline)
        throw new OperatorError(
          'The Kafka topics did not become available: see the Kafka log for the reason.',
        );
      await sleep(POLL_INTERVAL_MS);
    }
  });
}

async function unlessUnavailable<Answer>(work: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Unavailable) return undefined;
    throw error;
  }
}
