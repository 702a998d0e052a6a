import type { ClientBase, Pool } from 'pg';
import { hasTable } from './find-tables.ts';
import { liveSchema } from './tables/read-model-names.ts';

/** The readiness checks of the read model. Before a projector's very first start it has no tables to read. */
export interface ReadModelChecks {
  readonly postgres: boolean;
  readonly readModel: boolean;
}

export const noAnswer: ReadModelChecks = { postgres: false, readModel: false };

export async function askReadModel(connected: ClientBase | Pool): Promise<ReadModelChecks> {
  try {
    return { postgres: true, readModel: await hasTable(connected, `${liveSchema}.positions`) };
  } catch {
    return noAnswer;
  }
}
