import type { Client } from 'pg';
import { ReadModelDamaged } from '../../../shared/db/find-damage.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import { ensureTables } from '../tables/ensure-tables.ts';
import { type RebuildDeps, repairReadModel } from './rebuild-read-model.ts';
import { hasLiveSchema } from './switch-schema.ts';

/**
 * Makes the tables of the live read model fit the entity definitions. If tables were lost, or the read model does not
 * exist although the log has records, it is rebuilt first. Until then reads are rejected as unavailable, instead of
 * returning no records. Returns the entity types whose definition Postgres rejects, with the reason.
 */
export async function ensureReadModel(
  deps: RebuildDeps,
  client: Client,
): Promise<ReadonlyMap<string, string>> {
  const models = deps.follower.directory.entities();
  try {
    if (!(await hasLiveSchema(client)) && (await hasRecords(deps))) await repairReadModel(deps);
    return await ensureTables(client, { schema: liveSchema, models, isIndexed: true });
  } catch (error) {
    if (!(error instanceof ReadModelDamaged)) throw error;
    deps.log.error({ err: error }, 'tables of the read model are missing');
    await repairReadModel(deps);
    return ensureTables(client, { schema: liveSchema, models, isIndexed: true });
  }
}

async function hasRecords({ kafka, source: { topics } }: RebuildDeps): Promise<boolean> {
  return (await readEnds(kafka, topics.records)).some(({ offset }) => offset > 0n);
}
