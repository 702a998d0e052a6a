import type { Row } from '../../../shared/search/run-statement.ts';

export type Direction = 'asc' | 'desc';

/** The part of a list that a client requests. */
export interface Page {
  readonly offset: number;
  readonly maxSize: number;
}

export interface SortedPage extends Page {
  readonly direction: Direction;
}

export interface PageOf<One> {
  /**
   * The number of records on all pages. If it was not counted, -1 if more records follow the page, or -2 if none
   * follow.
   */
  readonly total: number;
  readonly list: readonly One[];
}

export interface RecordList extends PageOf<Row> {
  /** The page's records after `list`, if the page is too large to be held in memory. */
  readonly rest?: AsyncIterable<readonly Row[]>;
}

/** Returns a page without a counted total. `found` contains one more record than the page if more records follow. */
export function uncounted<One>(found: readonly One[], maxSize: number): PageOf<One> {
  return { total: found.length > maxSize ? -1 : -2, list: found.slice(0, maxSize) };
}

export interface Named {
  readonly id: string;
  readonly name: string | null;
}

/** Returns a page of `all`, sorted by name, then by id. */
export function pageByName<One extends Named>(
  all: readonly One[],
  { offset, maxSize }: Page,
): PageOf<One> {
  const sorted = all.toSorted(compareNames);
  return { total: sorted.length, list: sorted.slice(offset, offset + maxSize) };
}

function compareNames(left: Named, right: Named): number {
  return (left.name ?? '').localeCompare(right.name ?? '') || left.id.localeCompare(right.id);
}
