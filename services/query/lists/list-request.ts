import type { ListFilter } from '../../../shared/search/list-filter.ts';
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

/** A page of a list of records, as requested by a client. */
export interface ListRequest extends Page {
  readonly orderBy: string | undefined;
  readonly direction: Direction | undefined;
  readonly select: readonly string[] | undefined;
  /** Long texts are not truncated. */
  readonly isWhole?: boolean;
  /** The length to which long texts are truncated; undefined means the default. */
  readonly maxTextLength?: number | undefined;
  readonly withTotal: boolean;
  /** Undefined means every record that the actor may read. */
  readonly filter: ListFilter | undefined;
}

export interface PageOf<One> {
  /** Over all pages. If it was not counted: -1 if more records follow, -2 if none do. */
  readonly total: number;
  readonly list: readonly One[];
}

export interface RecordList extends PageOf<Row> {
  /** The records of the page after those in `list`, if the page is too large to be held in memory. */
  readonly rest?: AsyncIterable<readonly Row[]>;
}

/** Returns a page without a counted total. `found` has one record more than the page if more records follow. */
export function uncounted<One>(found: readonly One[], maxSize: number): PageOf<One> {
  return { total: found.length > maxSize ? -1 : -2, list: found.slice(0, maxSize) };
}
