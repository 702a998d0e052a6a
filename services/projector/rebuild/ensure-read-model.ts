import type { Client } from 'pg';
import { ReadModelDamaged } from '../../../shared/db/find-damage.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { ensureTables } from '../tables/ensure-tables.ts';
import { countLog, type RebuildDeps, repairReadModel } from './rebuild-read-model.ts';
import { hasLiveSchema } from './switch-schema.ts';

/** Up to this many entries, projecting takes no longer than copying. */
const SMALL_LOG = 1_000;

/**
 * Prepares the live read model for projection: its tables fit the entity definitions. If it does not exist although the
 * log has entries, or lost tables, it is rebuilt first; until then readers are answered that it is unavailable.
 */
export async function ensureReadModel(deps: RebuildDeps, client: Client): Promise<void> {
  const models = deps.follower.directory.entities();
  try {
    if (await isWorthRebuilding(deps, client)) await repairReadModel(deps);
    await ensureTables(client, { schema: liveSchema, models, isIndexed: true });
  } catch (error) {
    if (!(error instanceof ReadModelDamaged)) throw error;
    deps.log.error({ err: error }, 'tables of the read model are gone');
    await repairReadModel(deps);
    await ensureTables(client, { schema: liveSchema, models, isIndexed: true });
  }
}

async function isWorthRebuilding(deps: RebuildDeps, client: Client): Promise<boolean> {
  return !(await hasLiveSchema(client)) && (await countLog(deps)) > SMALL_LOG;
}
