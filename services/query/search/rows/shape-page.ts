import type { Row } from '../../../../shared/search/run-statement.ts';
import { type ReadPlan, shapeRow } from './read-plan.ts';

/**
 * A page of records. Each row has the total, even one without a record; the total is undefined if there is no row, or
 * it was not asked for.
 */
export function shapePage(
  plan: ReadPlan,
  answered: readonly (readonly unknown[])[],
): { readonly rows: Row[]; readonly total: number | undefined } {
  const shaped = answered.map((values) => shapeRow(plan, values));
  const total = shaped[0]?.more[0];
  return {
    rows: shaped.map(({ row }) => row).filter(({ id }) => id !== null),
    total: typeof total === 'number' ? total : undefined,
  };
}

export function takeOneMore(rows: Row[], maxSize: number): -1 | -2 {
  if (rows.length <= maxSize) return -2;
  rows.length = maxSize;
  return -1;
}
