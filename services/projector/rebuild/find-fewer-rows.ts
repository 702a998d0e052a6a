import type { Client } from 'pg';
import { findTables } from '../../../shared/db/find-tables.ts';
import { quoteName, tableName } from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';

/** A table that would have far fewer rows after the switch. */
export interface FewerRows {
  readonly table: string;
  readonly before: number;
  readonly after: number;
}

/** Thrown if the log lacks changes that the tables contain. Only an operator can decide that the tables may shrink. */
export class ReadModelShrinks extends Unavailable {
  constructor(tables: readonly FewerRows[]) {
    super(`the rebuilt read model would lose rows: ${describeFewerRows(tables)}`, {
      remedy:
        'the live read model is unchanged. annals verify reports what the log lacks; annals rebuild --yes replaces the read model anyway',
    });
  }
}

export function describeFewerRows(tables: readonly FewerRows[]): string {
  return tables
    .map(({ table, before, after }) => `${table} would have ${after} of ${before} rows`)
    .join(', ');
}

const LEAST_SHARE = 0.9;

/** The number of rows by table. */
type RowCounts = ReadonlyMap<string, number>;

/** Counts the rows of the history and of entity types, including deleted records, whose rows stay in the tables. */
export async function countRows(
  client: Client,
  schema: string,
  models: readonly EntityModel[],
): Promise<RowCounts> {
  const tables = await findTables(client, schema);
  const names = ['record_history', ...models.map(({ name }) => tableName(name))];
  const counts = new Map<string, number>();
  for (const name of names.filter((one) => tables.has(one))) {
    const { rows } = await client.query<{ total: string }>(
      `select count(*) as total from ${quoteName(schema)}.${quoteName(name)}`,
    );
    counts.set(name, Number(rows[0]?.total));
  }
  return counts;
}

/**
 * Returns the tables that lost more than a tenth of their rows. `before` has to be counted before the new tables are
 * filled to the end of the log. Otherwise it would include rows that the new tables lack only because they were written
 * later.
 */
export function findFewerRows(before: RowCounts, after: RowCounts): readonly FewerRows[] {
  return [...before]
    .map(([table, rows]) => ({ table, before: rows, after: after.get(table) ?? rows }))
    .filter((counts) => counts.after < counts.before * LEAST_SHARE);
}
