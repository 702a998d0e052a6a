import type { Client } from 'pg';
import type { Logger } from 'pino';
import { ReadModelDamaged } from '../../../shared/db/find-damage.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import type { BaseContext } from '../context.ts';
import { ensureTables } from '../tables/ensure-tables.ts';
import { type RebuildDeps, repairReadModel } from './rebuild-read-model.ts';
import { hasLiveSchema } from './switch-schema.ts';

/**
 * Makes the tables of the live read model fit the entity definitions. If tables were lost, or the log contains records
 * but the read model does not exist, it is rebuilt first. Until then reads are rejected as unavailable, instead of
 * returning no records. Returns the entity types whose definition Postgres rejects, with the reason. The signal aborts
 * a running rebuild.
 */
export async function ensureReadModel(
  context: BaseContext,
  client: Client,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const { config, connect, follower, log } = context;
  const kafka = createKafkaConnection(context.kafka, log);
  const stop = () => void kafka.close();
  signal.addEventListener('abort', stop);
  const rebuild: RebuildDeps = {
    kafka,
    source: { ...config, kafka: context.kafka },
    signal,
    follower,
    connect,
    onProgress: createProgressLog(log),
    log,
  };
  const models = follower.directory.entities();
  const ensure = () => ensureTables(client, { schema: liveSchema, models, isIndexed: true });
  try {
    if (!(await hasLiveSchema(client)) && (await hasRecords(rebuild)))
      await repairReadModel(rebuild);
    return await ensure();
  } catch (error) {
    if (!(error instanceof ReadModelDamaged)) throw error;
    log.error({ err: error }, 'tables of the read model are missing');
    await repairReadModel(rebuild);
    return await ensure();
  } finally {
    signal.removeEventListener('abort', stop);
    await kafka.close();
  }
}

async function hasRecords({ kafka, source: { topics } }: RebuildDeps): Promise<boolean> {
  return (await readEnds(kafka, topics.records)).some(({ offset }) => offset > 0n);
}

const PROGRESS_EVERY_MS = 5_000;

function createProgressLog(log: Logger): RebuildDeps['onProgress'] {
  let loggedAt = 0;
  return (progress) => {
    if (Date.now() - loggedAt < PROGRESS_EVERY_MS) return;
    loggedAt = Date.now();
    log.info(progress, 'rebuilding');
  };
}
