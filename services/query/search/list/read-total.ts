import type { Statement } from '../../../../shared/search/prepare-statement.ts';
import { type Queryable, runForValues } from '../../../../shared/search/run-statement.ts';

/** The count of a statement that returns one number, see totalStatement. */
export async function readTotal(
  pool: Queryable,
  statement: Statement,
  values: unknown[],
): Promise<number> {
  const [row] = await runForValues(pool, statement, values);
  return Number(row?.[0]);
}
