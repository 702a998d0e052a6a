import type { Logger } from 'pino';
import type { ServiceSettings } from '../../shared/config/service-settings.ts';
import type { StorageSettings } from '../../shared/config/storage-settings.ts';
import { findDatabaseRemedy } from '../../shared/db/database-remedy.ts';
import { createClient } from '../../shared/db/pool.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import type { Observed } from '../../shared/installation/observed.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import { followLiveEvents, type LiveEvents } from './tail/live-events.ts';

interface OwnSettings extends ServiceSettings {
  readonly databaseUrl: string;
  readonly storage: StorageSettings;
}

/** Opens what the routes for operators need to inspect the installation of this process. */
export function openOperations({ config, log, lifecycle }: ServiceContext<OwnSettings>): {
  readonly observed: Observed;
  readonly live: LiveEvents;
} {
  const observed = observeOwn(config, log);
  const live = followLiveEvents(observed);
  lifecycle.opened('live events', live.close);
  return { observed, live };
}

function observeOwn(config: OwnSettings, log: Logger): Observed {
  const name = 'annals-operations';
  return {
    ...config,
    kafka: { ...config.kafka, clientId: name },
    log,
    connect: async () => {
      const client = createClient({ url: config.databaseUrl, applicationName: name });
      client.on('error', (err) => log.debug({ err }, 'database connection lost'));
      try {
        await client.connect();
        return client;
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new Unavailable(`Postgres does not respond (${reason})`, {
          remedy: findDatabaseRemedy(cause),
          cause,
        });
      }
    },
  };
}
