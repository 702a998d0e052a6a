import { readEnv } from '../../shared/config/env.ts';
import { readSearchSettings, type SearchSettings } from '../../shared/config/search-settings.ts';
import { readServiceSettings, type ServiceSettings } from '../../shared/config/service-settings.ts';

export interface QueryConfig extends ServiceSettings {
  readonly http: { readonly host: string; readonly port: number };
  readonly databaseUrl: string;
  readonly secretKey: string;
  readonly search: SearchSettings;
}

export function loadConfig(env: Readonly<Record<string, string | undefined>>): QueryConfig {
  const read = readEnv(env);
  const config: QueryConfig = {
    ...readServiceSettings(read),
    http: {
      host: read.text('HOST', '127.0.0.1'),
      port: read.int('PORT', { fallback: 8080, min: 0, max: 65_535 }),
    },
    databaseUrl: read.secret('DATABASE_URL'),
    secretKey: read.secret('ANNALS_SECRET_KEY'),
    search: readSearchSettings(read),
  };
  read.done();
  return config;
}
