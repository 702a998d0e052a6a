import { readDatabase } from '../../shared/config/database-url.ts';
import { readEnv } from '../../shared/config/env.ts';
import { readFileStoreSettings } from '../../shared/config/file-store-settings.ts';
import { readHttpSettings } from '../../shared/config/http-settings.ts';
import { readSearchSettings } from '../../shared/config/search-settings.ts';
import { readServiceSettings } from '../../shared/config/service-settings.ts';

export type QueryConfig = ReturnType<typeof loadQueryConfig>;

export function loadQueryConfig(env: Readonly<Record<string, string | undefined>>) {
  const read = readEnv(env);
  const config = {
    ...readServiceSettings(read),
    ...readHttpSettings(read),
    ...readDatabase(read),
    fileStore: readFileStoreSettings(read),
    search: readSearchSettings(read),
  };
  read.done();
  return config;
}
