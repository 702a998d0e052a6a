import { readEnv } from '../../shared/config/env.ts';
import { readServiceSettings, type ServiceSettings } from '../../shared/config/service-settings.ts';

export interface ProjectorConfig extends ServiceSettings {
  readonly databaseUrl: string;
}

export function loadConfig(env: Readonly<Record<string, string | undefined>>): ProjectorConfig {
  const read = readEnv(env);
  const config: ProjectorConfig = {
    ...readServiceSettings(read),
    databaseUrl: read.secret('DATABASE_URL'),
  };
  read.done();
  return config;
}
