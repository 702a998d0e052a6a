import { type DatabaseSettings, readDatabase } from '../../shared/config/database-url.ts';
import { readEnv } from '../../shared/config/env.ts';
import { type HttpSettings, readHttpSettings } from '../../shared/config/http-settings.ts';
import { readSearchSettings, type SearchSettings } from '../../shared/config/search-settings.ts';
import { readServiceSettings, type ServiceSettings } from '../../shared/config/service-settings.ts';

export interface QueryConfig extends ServiceSettings, HttpSettings, DatabaseSettings {
  readonly search: SearchSettings;
}

export function loadQueryConfig(env: Readonly<Record<string, string | undefined>>): QueryConfig {
  const read = readEnv(env);
  const config: QueryConfig = {
    ...readServiceSettings(read),
    ...readHttpSettings(read),
    ...readDatabase(read),
    search: readSearchSettings(read),
  };
  read.done();
  return config;
}
