import type { Row } from '../../../shared/search/run-statement.ts';
import { totalColumn } from './list-statement.ts';

/** Undefined when there is no row to carry it. A key without value is not written as JSON. */
export function takeTotal(rows: readonly Row[]): number | undefined {
  const total = rows[0]?.[totalColumn];
  for (const row of rows) row[totalColumn] = undefined;
  return typeof total === 'number' ? total : undefined;
}

export function takeOneMore(rows: Row[], maxSize: number): -1 | -2 {
  if (rows.length <= maxSize) return -2;
  rows.length = maxSize;
  return -1;
}
