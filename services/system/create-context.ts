import type { FileStoreSettings } from '../../shared/config/file-store-settings.ts';
import type { ServiceSettings } from '../../shared/config/service-settings.ts';
import type { StorageSettings } from '../../shared/config/storage-settings.ts';
import { findDatabaseRemedy } from '../../shared/db/database-remedy.ts';
import { createClient } from '../../shared/db/pool.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import type { Observed } from '../../shared/installation/observed.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import { followLiveEvents } from './tail/live-events.ts';

interface OwnSettings extends ServiceSettings {
  readonly databaseUrl: string;
  readonly storage: StorageSettings;
  readonly fileStore: FileStoreSettings | undefined;
}

const NAME = 'annals-operations';

/** Opens the parts of the context that inspect the installation that this process belongs to. */
export function openSystem({ config, log, lifecycle }: ServiceContext<OwnSettings>) {
  const observed: Observed = {
    ...config,
    kafka: { ...config.kafka, clientId: NAME },
    log,
    connect: async () => {
      const client = createClient({ url: config.databaseUrl, applicationName: NAME });
      client.on('error', (err) => log.debug({ err }, 'database connection lost'));
      try {
        await client.connect();
        return client;
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        const remedy = findDatabaseRemedy(cause);
        throw new Unavailable(`Postgres does not respond (${reason})`, { remedy, cause });
      }
    },
  };
  const live = followLiveEvents(observed);
  lifecycle.opened('live events', live.close);
  return { observed, live };
}
