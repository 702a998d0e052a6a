import type { Client } from 'pg';
import { findTables } from '../../../shared/db/find-tables.ts';
import {
  liveSchema,
  quotedTable,
  quoteName,
  rebuildSchema,
  tableName,
} from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';

/** A table that would have far fewer rows after the switch. */
export interface FewerRows {
  readonly table: string;
  readonly before: number;
  readonly after: number;
}

/** The log has not what the tables were filled with. Only a person can say that the tables may shrink. */
export class ReadModelShrinks extends Unavailable {
  constructor(tables: readonly FewerRows[]) {
    super(`the rebuilt read model would lose rows: ${describeFewerRows(tables)}`, {
      remedy:
        'nothing was switched. annals verify says what the log lacks; annals rebuild --yes switches all the same',
    });
  }
}

export function describeFewerRows(tables: readonly FewerRows[]): string {
  return tables
    .map(({ table, before, after }) => `${table} would have ${after} of ${before} rows`)
    .join(', ');
}

const LEAST_SHARE = 0.9;

/**
 * Tables of which the rebuilt schema has less than nine tenths of the live rows. Deletions do not explain it: rows of deleted
 * records stay in the tables.
 */
export async function findFewerRows(
  client: Client,
  models: readonly EntityModel[],
): Promise<readonly FewerRows[]> {
  const live = await findTables(client, liveSchema);
  const fewer: FewerRows[] = [];
  const compare = async (name: string, tableOf: (schema: string) => string): Promise<void> => {
    if (!live.has(name)) return;
    const before = await countRows(client, tableOf(liveSchema));
    const after = await countRows(client, tableOf(rebuildSchema));
    if (after < before * LEAST_SHARE) fewer.push({ table: name, before, after });
  };
  for (const { name } of models)
    await compare(tableName(name), (schema) => quotedTable(schema, name));
  await compare('record_history', (schema) => `${quoteName(schema)}.record_history`);
  return fewer;
}

async function countRows(client: Client, table: string): Promise<number> {
  const { rows } = await client.query<{ total: string }>(`select count(*) as total from ${table}`);
  return Number(rows[0]?.total);
}
