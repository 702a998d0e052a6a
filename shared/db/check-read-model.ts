import type { ClientBase, Pool } from 'pg';
import { hasTable } from './find-tables.ts';
import { liveSchema } from './tables/read-model-names.ts';

/** The readiness checks of the read model. Before a projector's first start it has no tables. */
export interface ReadModelChecks {
  readonly postgres: boolean;
  readonly readModel: boolean;
}

export const unreachableReadModel: ReadModelChecks = { postgres: false, readModel: false };

export async function checkReadModel(connected: ClientBase | Pool): Promise<ReadModelChecks> {
  try {
    return { postgres: true, readModel: await hasTable(connected, `${liveSchema}.positions`) };
  } catch {
    return unreachableReadModel;
  }
}
