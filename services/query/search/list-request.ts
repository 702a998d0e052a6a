import type { ListFilter } from '../../../shared/search/list-filter.ts';
import type { Row } from '../../../shared/search/run-statement.ts';

export type Direction = 'asc' | 'desc';

/** A page of a list as a client asks for it. */
export interface ListRequest {
  readonly offset: number;
  readonly maxSize: number;
  readonly orderBy: string | undefined;
  readonly direction: Direction | undefined;
  readonly select: readonly string[] | undefined;
  /** Long texts are not cut. */
  readonly isWhole?: boolean;
  /** To how many characters long texts are cut; undefined: as many as is usual. */
  readonly maxTextLength?: number | undefined;
  readonly withTotal: boolean;
  /** Undefined: every record that the actor may read. */
  readonly filter: ListFilter | undefined;
}

export interface RecordList {
  /** Of all pages; -1 or -2 when nobody wanted to know: more records follow, or none. */
  readonly total: number;
  readonly list: readonly Row[];
}
