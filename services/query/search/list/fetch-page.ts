import type { Queryable } from '../../../../shared/db/pool.ts';
import type { Statement } from '../../../../shared/search/prepare-statement.ts';
import type { RecordView } from '../../../../shared/search/record-view.ts';
import { type Row, runForValues } from '../../../../shared/search/run-statement.ts';
import { finishRows, type SearchDeps } from '../rows/finish-rows.ts';
import { type ReadPlan, shapeRow } from '../rows/read-plan.ts';
import { type ListRequest, type RecordList, uncounted } from './list-request.ts';

export interface PageQuery {
  readonly plan: ReadPlan;
  readonly view: RecordView;
  readonly request: Pick<ListRequest, 'maxSize' | 'withTotal'>;
  read(): Promise<ReturnType<typeof shapePage>>;
  /** Counts all records, for a page beyond the last one, which has no row with the total. */
  count(): Promise<number>;
}

/** The rows to ask for: without a total one more than the page has, to find out whether more follow. */
export function limitOf({ maxSize, withTotal }: PageQuery['request']): number {
  return withTotal ? maxSize : maxSize + 1;
}

/** What lists and searches do alike: the page, its total, and the values that no statement selects. */
export async function fetchPage(deps: SearchDeps, query: PageQuery): Promise<RecordList> {
  const { plan, view, request } = query;
  const { rows, total: carried } = await query.read();
  const { total, list } = request.withTotal
    ? { total: carried, list: rows }
    : uncounted(rows, request.maxSize);
  await finishRows(deps, { plan, view }, list);
  return { total: total ?? (await query.count()), list };
}

/**
 * A page of records. Each row has the total, even one without a record; the total is undefined if there is no row, or
 * it was not asked for.
 */
export function shapePage(
  plan: ReadPlan,
  answered: readonly (readonly unknown[])[],
): { readonly rows: readonly Row[]; readonly total: number | undefined } {
  const shaped = answered.map((values) => shapeRow(plan, values));
  const total = shaped[0]?.more[0];
  return {
    rows: shaped.map(({ row }) => row).filter(({ id }) => id !== null),
    total: typeof total === 'number' ? total : undefined,
  };
}

/** The count of a statement that returns one number, see totalStatement. */
export async function readTotal(
  pool: Queryable,
  statement: Statement,
  values: unknown[],
): Promise<number> {
  const [row] = await runForValues(pool, statement, values);
  return Number(row?.[0]);
}
