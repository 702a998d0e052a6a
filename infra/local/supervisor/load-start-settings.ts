import { ConfigurationError } from '../../../shared/config/configuration-error.ts';
import { readEnv } from '../../../shared/config/env.ts';
import { readStorageSettings } from '../../../shared/config/storage-settings.ts';
import { OperatorError } from '../operator-error.ts';
import type { ServiceName } from './service-environment.ts';

/** What the operator decided about a start; the rest of the environment goes to the services unread. */
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

/** Reads all of it and names every problem at once. */
export function loadStartSettings(env: NodeJS.ProcessEnv): StartSettings {
  const problems: string[] = [];
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;

  const port = Number(text('PORT') ?? 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    problems.push(`PORT is "${env['PORT']}" and has to be a number from 1 to 65535`);
  }
  const { secretKey, storage } = readShared(env, problems);
  if (secretKey !== undefined && !/^[0-9a-fA-F]{64}$/.test(secretKey)) {
    problems.push('ANNALS_SECRET_KEY has to be 64 hexadecimal characters');
  }
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
  if (problems.length > 0) throw new OperatorError(`${problems.join('; ')}.`);
  return {
    host: text('HOST') ?? '127.0.0.1',
    port,
    dataDir: text('ANNALS_DATA_DIR') ?? '.annals',
    seedFile: text('ANNALS_SEED_FILE'),
    consoleDirectory: text('ANNALS_CONSOLE_DIR'),
    secretKey,
    storageFloorBytes: storage.floorBytes,
    instances: counts,
  };
}

/** As the services read it, from variables or their files. What is wrong with the other secret is told with it. */
function readShared(env: NodeJS.ProcessEnv, problems: string[]) {
  const read = readEnv(env);
  const secretKey = read.optionalSecret('ANNALS_SECRET_KEY');
  read.optionalSecret('DATABASE_URL');
  const storage = readStorageSettings(read);
  try {
    read.done();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    problems.push(...error.problems);
  }
  return { secretKey, storage };
}
