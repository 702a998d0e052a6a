import { type DatabaseSettings, readDatabase } from '../../shared/config/database-url.ts';
import { type EnvReader, readEnv } from '../../shared/config/env.ts';
import {
  type FileStoreSettings,
  readFileStoreSettings,
} from '../../shared/config/file-store-settings.ts';
import { type HttpSettings, readHttpSettings } from '../../shared/config/http-settings.ts';
import { readSearchSettings, type SearchSettings } from '../../shared/config/search-settings.ts';
import { readServiceSettings, type ServiceSettings } from '../../shared/config/service-settings.ts';
import { readStorageSettings, type StorageSettings } from '../../shared/config/storage-settings.ts';
import {
  readProviderTargets,
  readTargetSettings,
  type TargetSettings,
} from '../../shared/net/allowed-targets.ts';

export interface CommandConfig extends ServiceSettings, HttpSettings, DatabaseSettings {
  readonly search: SearchSettings;
  readonly storage: StorageSettings;
  /** Credentials for the first users, who are created if the directory is empty. */
  readonly seedFile: string | undefined;
  /**
   * The access file. The service is ready only when the file exists, so that clients can log in. Undefined if no
   * process writes the file.
   */
  readonly accessFile: string | undefined;
  /** The directory of the built console, which is served alongside the API. */
  readonly consoleDirectory: string | undefined;
  /** The address of a Prometheus server that scrapes the apis. The console's charts query it. */
  readonly prometheusUrl: string | undefined;
  /** Time limit of a write. A caller that reaches it gets an error: the log is unavailable. */
  readonly writeTimeoutMs: number;
  readonly maxWebhooksPerUser: number;
  readonly maxMassActionRecords: number;
  readonly maxExportRecords: number;
  readonly maxExportBytes: number;
  /** Undefined to store files in the log. */
  readonly fileStore: FileStoreSettings | undefined;
  /** Maximum size of a file that is read into memory. */
  readonly maxUploadBytes: number;
  /** Maximum size of a file that is streamed to a disk. */
  readonly maxStreamedBytes: number;
  /** The command that scans uploads, with its arguments; empty to scan none. */
  readonly scanCommand: readonly string[];
  /** Maximum total size of one user's unreferenced files. */
  readonly maxUnattachedBytes: number;
  /** The addresses to which webhooks may send requests. */
  readonly targets: TargetSettings;
  /** The addresses at which OpenID Connect providers may be. */
  readonly providerTargets: TargetSettings;
}

const BYTES_PER_MIB = 1024 * 1024;

export function loadCommandConfig(
  env: Readonly<Record<string, string | undefined>>,
): CommandConfig {
  const read = readEnv(env);
  const fileStore = readFileStoreSettings(read);
  const config: CommandConfig = {
    ...readServiceSettings(read),
    ...readHttpSettings(read),
    ...readDatabase(read),
    search: readSearchSettings(read),
    storage: readStorageSettings(read),
    seedFile: read.optionalText('ANNALS_SEED_FILE'),
    accessFile: read.optionalText('ANNALS_ACCESS_FILE'),
    consoleDirectory: read.optionalText('ANNALS_CONSOLE_DIR'),
    prometheusUrl: readPrometheusUrl(read),
    writeTimeoutMs: read.durationMs('ANNALS_WRITE_TIMEOUT', { fallback: '30s', min: '1s' }),
    maxWebhooksPerUser: read.int('WEBHOOK_MAX_COUNT_PER_USER', { fallback: 50, min: 1 }),
    maxMassActionRecords: read.int('API_MASS_ACTION_LIMIT', {
      fallback: 20_000,
      min: 1,
      max: 100_000,
    }),
    maxExportBytes: read.int('API_EXPORT_MAX_BYTES', {
      fallback: 104_857_600,
      min: 1,
      max: 1_073_741_824,
    }),
    maxExportRecords: read.int('API_EXPORT_LIMIT', { fallback: 20_000, min: 1, max: 100_000 }),
    fileStore,
    ...readUploadLimits(read, fileStore !== undefined),
    scanCommand: read.optionalText('API_UPLOAD_SCAN_COMMAND')?.split(/\s+/) ?? [],
    maxUnattachedBytes:
      read.int('API_UPLOAD_UNATTACHED_LIMIT', { fallback: 500, min: 1, max: 1_000_000 }) *
      BYTES_PER_MIB,
    targets: readTargetSettings(read),
    providerTargets: readProviderTargets(read),
  };
  read.done();
  return config;
}

const UNSET = 0;
/** Reading an upload in base64 takes several times its size in memory. */
const MAX_MIB_IN_MEMORY = 100;

/** Without a limit, uploads in base64 are limited to 20 MiB, and streamed ones to 20 or, with a file store, 100 MiB. */
function readUploadLimits(read: EnvReader, hasStore: boolean) {
  const max = hasStore ? 1024 : MAX_MIB_IN_MEMORY;
  const limit = read.int('API_UPLOAD_LIMIT', { fallback: UNSET, min: 1, max, isDerived: true });
  const whole = limit === UNSET ? 20 : Math.min(limit, MAX_MIB_IN_MEMORY);
  const streamed = limit === UNSET ? (hasStore ? 100 : 20) : limit;
  return { maxUploadBytes: whole * BYTES_PER_MIB, maxStreamedBytes: streamed * BYTES_PER_MIB };
}

function readPrometheusUrl(read: EnvReader): string | undefined {
  const url = read.optionalText('PROMETHEUS_URL');
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    read.problem('PROMETHEUS_URL must be an address that starts with http:// or https://');
  }
  return url;
}
