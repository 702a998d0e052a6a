import type { Queryable } from '../../../shared/db/pool.ts';
import { endOfSlice } from '../../../shared/db/sql/fit-page.ts';
import type { RecordView } from '../../../shared/search/record-view.ts';
import { type Row, runForValues, type Statement } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';
import { finishRows } from '../rows/finish-rows.ts';
import { type RecordList, uncounted } from '../rows/page.ts';
import { type ReadPlan, shapeRow } from '../rows/read-plan.ts';
import type { ListRequest } from './read-list-request.ts';

export interface PageQuery {
  readonly plan: ReadPlan;
  readonly view: RecordView;
  readonly request: ListRequest;
  read(): Promise<ReturnType<typeof shapePage>>;
  /** Reads records of the list by id, in any order. Omits records that have left the list in the meantime. */
  readNamed(ids: readonly string[]): Promise<readonly Row[]>;
  /** Counts all records. Needed for a page beyond the last one, because such a page has no row to carry the total. */
  count(): Promise<number>;
}

/** Returns the number of rows to request. Without a total, one extra row shows whether more records follow. */
export function limitOf({ maxSize, withTotal }: PageQuery['request']): number {
  return withTotal ? maxSize : maxSize + 1;
}

/** Reads the page, its total, and the values that the page's statement cannot select. Shared by lists and searches. */
export async function fetchPage(context: QueryContext, query: PageQuery): Promise<RecordList> {
  const { plan, view, request } = query;
  const { rows, total: carried } = await query.read();
  const { total, list: sized } = request.withTotal
    ? { total: carried, list: rows }
    : uncounted(rows, request.maxSize);
  const fitting = endOfSlice(
    sized.map(({ bytes }) => bytes),
    0,
  );
  const list = sized.slice(0, fitting).map(({ row }) => row);
  await finishRows(context, { plan, view }, list);
  const counted = total ?? (await query.count());
  if (fitting === sized.length) return { total: counted, list };
  const places = sized.slice(fitting).map(({ row, bytes }) => ({ id: String(row['id']), bytes }));
  return { total: counted, list, rest: readSlices(context, query, places) };
}

/** A record that is still to be read, with the size of its large values in bytes. */
export interface RecordPlace {
  readonly id: string;
  readonly bytes: number;
}

/** A slice stays in memory until the client, which may be slow, has received it, so slices are smaller than pages. */
const SLICE = { maxBytes: 1024 * 1024, maxRows: 200 };

/** Reads the records at these places in order, slice by slice. */
export async function* readSlices(
  context: QueryContext,
  { plan, view, readNamed }: PageQuery,
  places: readonly RecordPlace[],
): AsyncGenerator<readonly Row[]> {
  const sizes = places.map(({ bytes }) => bytes);
  for (let from = 0; from < places.length; ) {
    const end = endOfSlice(sizes, from, SLICE);
    const ids = places.slice(from, end).map(({ id }) => id);
    const byId = new Map((await readNamed(ids)).map((row) => [String(row['id']), row]));
    const rows = ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
    await finishRows(context, { plan, view }, rows);
    yield rows;
    from = end;
  }
}

/**
 * Returns a page of records, with the size of their large values in bytes. The large values are null in a row that does
 * not fit on the page, see `sizedRows`. Each row has the total, even a row without a record. The total is undefined if
 * `rows` is empty, or if the request does not need it.
 */
export function shapePage(plan: ReadPlan, rows: readonly (readonly unknown[])[]) {
  const shaped = rows.map((values) => shapeRow(plan, values));
  const at = plan.bytes === undefined ? 0 : 1;
  const total = shaped[0]?.more[at];
  return {
    rows: shaped
      .filter(({ row }) => row['id'] !== null)
      .map(({ row, more }) => ({ row, bytes: at === 0 ? 0 : Number(more[0]) })),
    total: typeof total === 'number' ? total : undefined,
  };
}

/** Returns the places that `idsStatement` selects. The total is set if all matching records were found first. */
export function shapePlaces(rows: readonly (readonly unknown[])[]) {
  const total = rows[0]?.[2];
  return {
    rows: rows
      .filter(([id]) => id !== null)
      .map(([id, bytes]) => ({ id: String(id), bytes: Number(bytes) })),
    total: typeof total === 'number' ? total : undefined,
  };
}

/** Runs a statement that returns one number, see `totalStatement`. */
export async function readTotal(
  pool: Queryable,
  statement: Statement,
  values: unknown[],
): Promise<number> {
  const [row] = await runForValues(pool, statement, values);
  return Number(row?.[0]);
}
