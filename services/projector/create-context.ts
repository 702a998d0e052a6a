import type { Logger } from 'pino';
import { orOutage } from '../../shared/db/outage-of.ts';
import { createClient } from '../../shared/db/pool.ts';
import { requireSession } from '../../shared/db/require-session.ts';
import { followDirectory } from '../../shared/directory/directory-follower.ts';
import { createProjectorMeter } from './consume/measure-projector.ts';
import type { BaseContext, OpenedContext, ProjectorContext } from './context.ts';
import { ensureReadModel } from './rebuild/ensure-read-model.ts';
import { keepTextIndexes } from './tables/keep-text-indexes.ts';

/** Builds the parts that the projections share, and starts the maintenance of text indexes. */
export function createContext(opened: OpenedContext): ProjectorContext {
  const { config, kafka, lifecycle, log, metrics } = opened;
  const follower = followDirectory(kafka, config.topics.directory, log);
  lifecycle.opened('directory', follower.close);
  const base: BaseContext = {
    ...opened,
    follower,
    connect: createConnect(config.databaseUrl, log),
  };
  const textIndexes = keepTextIndexes(base);
  lifecycle.opened('text indexes', textIndexes.close);
  return {
    ...base,
    meter: createProjectorMeter(metrics, log),
    ensureReadModel: (client, signal) => ensureReadModel(base, client, signal),
    onStored: textIndexes.touched,
  };
}

function createConnect(url: string, log: Logger): BaseContext['connect'] {
  return async () => {
    const config = { url, applicationName: 'annals-projector' };
    const client = createClient(config);
    client.on('error', (err) => log.warn({ err: orOutage(err) }, 'database connection lost'));
    await client.connect();
    await requireSession(client, config);
    return client;
  };
}
