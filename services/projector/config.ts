import { readSessionUrl } from '../../shared/config/database-url.ts';
import { readEnv } from '../../shared/config/env.ts';
import { readServiceSettings, type ServiceSettings } from '../../shared/config/service-settings.ts';
import { readStorageSettings, type StorageSettings } from '../../shared/config/storage-settings.ts';

export interface ProjectorConfig extends ServiceSettings {
  readonly databaseUrl: string;
  readonly storage: StorageSettings;
  /** How long Postgres keeps webhook deliveries. */
  readonly attemptRetentionMs: number;
}

export function loadProjectorConfig(
  env: Readonly<Record<string, string | undefined>>,
): ProjectorConfig {
  const read = readEnv(env);
  const config: ProjectorConfig = {
    ...readServiceSettings(read),
    databaseUrl: readSessionUrl(read),
    storage: readStorageSettings(read),
    attemptRetentionMs: read.durationMs('WEBHOOK_ATTEMPT_RETENTION', {
      fallback: '30d',
      min: '1h',
    }),
  };
  read.done();
  return config;
}
