import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  isDirectoryLocked,
  lockDirectory,
} from '../../../infra/local/data-directory/directory-lock.ts';
import type { KafkaAccess } from '../../../infra/local/kafka/kafka-access.ts';
import { createChildRegistry } from '../../../infra/local/processes/child-registry.ts';
import { endLeftovers } from '../../../infra/local/processes/end-leftovers.ts';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import { provideInfrastructure } from '../../../infra/local/provide-infrastructure.ts';
import { createTerminal, type Terminal } from '../../../infra/local/terminal.ts';

export interface TestInfrastructure {
  readonly kafka: KafkaAccess;
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

const prefix = 'annals-test-';
const MEMORY = '/dev/shm';
const LEAST_MEMORY = 8 * 2 ** 30;

/**
 * Uses memory if there is room: the many new tables of a test are several files each, which a disk creates
 * slowly.
 */
function findQuickPlace(): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    const room = Math.min(bavail * bsize, process.availableMemory());
    return room < LEAST_MEMORY ? tmpdir() : MEMORY;
  } catch {
    return tmpdir();
  }
}

/** Creates a directory for one test run or test, accessible to the user that Postgres runs as. */
export function makeTestDirectory(place: string = tmpdir()): string {
  const directory = mkdtempSync(join(place, prefix));
  chmodSync(directory, 0o711);
  return directory;
}

interface Surroundings {
  readonly terminal?: Terminal;
  /** The folder for the data. */
  readonly place?: string;
}

/** Starts Kafka and Postgres like `npm start`, on temporary data. */
export async function startTestInfrastructure(
  env: NodeJS.ProcessEnv,
  {
    terminal = createTerminal(process.stdout, process.stderr),
    place = findQuickPlace(),
  }: Surroundings = {},
): Promise<TestInfrastructure> {
  for (const each of new Set([place, tmpdir()])) await removeAbandonedDirectories(each);
  const dataDir = makeTestDirectory(place);
  const lock = lockDirectory(dataDir);
  const registry = createChildRegistry(join(dataDir, 'run'));
  const killAll = (): void => registry.killAll();
  process.once('exit', killAll);
  const { kafka, postgres } = await provideInfrastructure({
    env,
    dataDir,
    ports: await choosePorts(['kafka', 'kafkaController', 'postgres'], {}),
    keepsData: false,
    spawn: registry.spawn,
    isStopping: registry.isStopping,
    terminal,
  });
  return {
    kafka: kafka.address,
    databaseUrl: postgres.address,
    async stop() {
      await registry.stopAll(['kafka', 'postgres']);
      await kafka.stop();
      await postgres.stop();
      process.off('exit', killAll);
      lock.release();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Stops the Kafka and Postgres processes of killed test runs. */
async function removeAbandonedDirectories(place: string): Promise<void> {
  for (const name of readdirSync(place)) {
    const directory = join(place, name);
    if (!name.startsWith(prefix) || !existsSync(join(directory, 'lock'))) continue;
    if (isDirectoryLocked(directory)) continue;
    await endLeftovers(directory);
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
