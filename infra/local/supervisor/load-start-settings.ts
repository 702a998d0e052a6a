import { loadCommandConfig } from '../../../services/command/config.ts';
import { loadDispatcherConfig } from '../../../services/dispatcher/config.ts';
import { loadProjectorConfig } from '../../../services/projector/config.ts';
import { ConfigurationError, readEnv } from '../../../shared/config/env.ts';
import { reportBadSecretKey } from '../../../shared/config/service-settings.ts';
import { readStorageSettings } from '../../../shared/config/storage-settings.ts';
import { findKafkaProblems } from '../check-environment.ts';
import { readSeedFile } from '../data-directory/seed-file.ts';
import { OperatorError } from '../operator-error.ts';
import type { ServiceName } from './service-environment.ts';

/** The settings of `npm start` itself. The services read their own settings from the environment. */
export interface StartSettings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** The operator's own seed file instead of the one in the data directory. */
  readonly seedFile: string | undefined;
  /** The operator's own build of the console instead of a build of these sources. */
  readonly consoleDirectory: string | undefined;
  /** The operator's own key instead of the one in the data directory. */
  readonly secretKey: string | undefined;
  /** The free space below which the api rejects writes; computed if undefined. */
  readonly storageFloorBytes: number | undefined;
  /** The number of processes of each service. */
  readonly instances: Readonly<Record<ServiceName, number>>;
  /** The instance that accepts debuggers in `npm run dev`. */
  readonly inspected: string | undefined;
}

const MAX_INSTANCES = 16;

/**
 * Reads all settings, including those of the services, and reports all problems together before anything is started.
 */
export function loadStartSettings(env: NodeJS.ProcessEnv): StartSettings {
  const problems: string[] = [];
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;

  const port = Number(text('PORT') ?? 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    problems.push(`PORT is "${env['PORT']}" but must be a number from 1 to 65535`);
  }
  const { secretKey, storage } = readShared(env, problems);
  const instances = (name: string): number => {
    const count = Number(text(name) ?? 1);
    if (Number.isInteger(count) && count >= 1 && count <= MAX_INSTANCES) return count;
    problems.push(`${name} is "${env[name]}" but must be a number from 1 to ${MAX_INSTANCES}`);
    return 1;
  };
  const counts = {
    api: instances('ANNALS_API_INSTANCES'),
    projector: instances('ANNALS_PROJECTOR_INSTANCES'),
    dispatcher: instances('ANNALS_DISPATCHER_INSTANCES'),
  };
  const inspected = text('ANNALS_INSPECT');
  if (inspected !== undefined && !/^(api|projector|dispatcher)\d*$/.test(inspected)) {
    problems.push(`ANNALS_INSPECT is "${inspected}" but must be api, projector or dispatcher`);
  }
  const seedFile = text('ANNALS_SEED_FILE');
  problems.push(...findSeedFileProblems(seedFile));
  problems.push(...findKafkaProblems(env), ...findServiceProblems(env));
  // Several services report the same setting.
  const distinct = [...new Set(problems)];
  if (distinct.length > 0) throw new OperatorError(`${distinct.join('; ')}.`);
  return {
    host: text('HOST') ?? '127.0.0.1',
    port,
    dataDir: text('ANNALS_DATA_DIR') ?? '.annals',
    seedFile,
    consoleDirectory: text('ANNALS_CONSOLE_DIR'),
    secretKey,
    storageFloorBytes: storage.floorBytes,
    instances: counts,
    inspected,
  };
}

/** Returns problems of the operator's seed file. */
function findSeedFileProblems(path: string | undefined): readonly string[] {
  try {
    if (path !== undefined) readSeedFile(path);
    return [];
  } catch (error) {
    if (error instanceof OperatorError) return [error.message.replace(/[.]$/, '')];
    throw error;
  }
}

/** Reads shared settings in the same way as the services, from variables or their files. */
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

/** Placeholders for settings that `npm start` provides unless the operator sets them. */
const provided = {
  KAFKA_BROKERS: '127.0.0.1:9092',
  DATABASE_URL: 'postgres://127.0.0.1/annals',
  ANNALS_SECRET_KEY: '0'.repeat(64),
};
/** Settings that `npm start` always sets itself. */
const decided = { PORT: '8080', INTERNAL_HOST: '127.0.0.1', INTERNAL_PORT: '0' };

/** Returns settings that the services would reject, so that they are reported before Kafka and Postgres are started. */
function findServiceProblems(env: NodeJS.ProcessEnv): readonly string[] {
  const isGiven = (name: string): boolean =>
    Boolean(env[name]?.trim() || env[`${name}_FILE`]?.trim());
  const assumed = Object.entries(provided).filter(([name]) => !isGiven(name));
  const environment = { ...env, ...Object.fromEntries(assumed), ...decided };
  return [loadCommandConfig, loadDispatcherConfig, loadProjectorConfig].flatMap((load) => {
    try {
      load(environment);
      return [];
    } catch (error) {
      if (error instanceof ConfigurationError) return error.problems;
      throw error;
    }
  });
}
