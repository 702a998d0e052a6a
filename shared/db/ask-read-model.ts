import type { ClientBase, Pool } from 'pg';
import { liveSchema } from './tables/read-model-names.ts';

/** The readiness checks of the read model. Before a projector's very first start it has no tables to read. */
export interface ReadModelChecks {
  readonly postgres: boolean;
  readonly readModel: boolean;
}

export const noAnswer: ReadModelChecks = { postgres: false, readModel: false };

export async function askReadModel(connected: ClientBase | Pool): Promise<ReadModelChecks> {
  try {
    const { rows } = await connected.query<{ readonly found: boolean }>(
      'select to_regclass($1) is not null as found',
      [`${liveSchema}.positions`],
    );
    return { postgres: true, readModel: rows[0]?.found === true };
  } catch {
    return noAnswer;
  }
}
