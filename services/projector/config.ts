import { readDatabaseUrl } from '../../shared/config/database-url.ts';
import { readEnv } from '../../shared/config/env.ts';
import { readServiceSettings, type ServiceSettings } from '../../shared/config/service-settings.ts';

export interface ProjectorConfig extends ServiceSettings {
  readonly databaseUrl: string;
  /** How long Postgres keeps webhook deliveries. */
  readonly attemptRetentionMs: number;
}

export function loadConfig(env: Readonly<Record<string, string | undefined>>): ProjectorConfig {
  const read = readEnv(env);
  const config: ProjectorConfig = {
    ...readServiceSettings(read),
    databaseUrl: readDatabaseUrl(read),
    attemptRetentionMs: read.durationMs('WEBHOOK_ATTEMPT_RETENTION', {
      fallback: '30d',
      min: '1h',
    }),
  };
  read.done();
  return config;
}
