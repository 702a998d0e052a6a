import { readEnv } from '../../../shared/config/env.ts';
import { reportBadSecretKey } from '../../../shared/config/service-settings.ts';
import { readStorageSettings } from '../../../shared/config/storage-settings.ts';
import { findKafkaProblems } from '../check-environment.ts';
import { readSeedFile } from '../data-directory/seed-file.ts';
import { OperatorError } from '../operator-error.ts';
import { findServiceProblems } from './find-service-problems.ts';
import type { ServiceName } from './service-environment.ts';

/** The settings of `npm start` itself. The services read the environment again for theirs. */
export interface StartSettings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** An operator's own seed file, instead of the one in the data directory. */
  readonly seedFile: string | undefined;
  /** An operator's own build of the console, instead of one of these sources. */
  readonly consoleDirectory: string | undefined;
  /** An operator's own key, instead of the one in the data directory. */
  readonly secretKey: string | undefined;
  /** Of free space, below which the api refuses writes; undefined: worked out. */
  readonly storageFloorBytes: number | undefined;
  /** Processes of each service. */
  readonly instances: Readonly<Record<ServiceName, number>>;
}

const MAX_INSTANCES = 16;

/** Reads all of it, also what is for the services, and names every problem at once, before anything is started. */
export function loadStartSettings(env: NodeJS.ProcessEnv): StartSettings {
  const problems: string[] = [];
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;

  const port = Number(text('PORT') ?? 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    problems.push(`PORT is "${env['PORT']}" and has to be a number from 1 to 65535`);
  }
  const { secretKey, storage } = readShared(env, problems);
  const instances = (name: string): number => {
    const count = Number(text(name) ?? 1);
    if (Number.isInteger(count) && count >= 1 && count <= MAX_INSTANCES) return count;
    problems.push(`${name} is "${env[name]}" and has to be a number from 1 to ${MAX_INSTANCES}`);
    return 1;
  };
  const counts = {
    api: instances('ANNALS_API_INSTANCES'),
    projector: instances('ANNALS_PROJECTOR_INSTANCES'),
    dispatcher: instances('ANNALS_DISPATCHER_INSTANCES'),
  };
  const seedFile = text('ANNALS_SEED_FILE');
  problems.push(...findSeedFileProblems(seedFile));
  problems.push(...findKafkaProblems(env), ...findServiceProblems(env));
  // Several services report the same setting.
  const told = [...new Set(problems)];
  if (told.length > 0) throw new OperatorError(`${told.join('; ')}.`);
  return {
    host: text('HOST') ?? '127.0.0.1',
    port,
    dataDir: text('ANNALS_DATA_DIR') ?? '.annals',
    seedFile,
    consoleDirectory: text('ANNALS_CONSOLE_DIR'),
    secretKey,
    storageFloorBytes: storage.floorBytes,
    instances: counts,
  };
}

/** Problems of the seed file that the operator names. */
function findSeedFileProblems(path: string | undefined): readonly string[] {
  try {
    if (path !== undefined) readSeedFile(path);
    return [];
  } catch (error) {
    if (error instanceof OperatorError) return [error.message.replace(/[.]$/, '')];
    throw error;
  }
}

/** As the services read it, from variables or their files. */
function readShared(env: NodeJS.ProcessEnv, problems: string[]) {
  const read = readEnv(env);
  const secretKey = reportBadSecretKey(read, read.optionalSecret('ANNALS_SECRET_KEY'));
  if (read.optionalText('ANNALS_INFRA') !== undefined) {
    read.choice('ANNALS_INFRA', ['local', 'docker']);
  }
  const storage = readStorageSettings(read);
  problems.push(...read.problems);
  return { secretKey, storage };
}
