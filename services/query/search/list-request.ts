import type { Row } from './run-statement.ts';
import type { WhereItem } from './where/where-item.ts';

export type Direction = 'asc' | 'desc';

/** A page of a list as a client asks for it. */
export interface ListRequest {
  readonly offset: number;
  readonly maxSize: number;
  readonly orderBy: string | undefined;
  readonly direction: Direction | undefined;
  readonly select: readonly string[] | undefined;
  readonly withTotal: boolean;
  /** Undefined: every record that the actor may read. */
  readonly filter: ListFilter | undefined;
}

/** A record has to meet all of it. */
export interface ListFilter {
  readonly where: readonly WhereItem[];
  readonly text: string | undefined;
  readonly primary: string | undefined;
  /** A record has to pass one of them, if there are any. */
  readonly bools: readonly string[];
}

export interface RecordList {
  /** Of all pages; -1 or -2 when nobody wanted to know: more records follow, or none. */
  readonly total: number;
  readonly list: readonly Row[];
}
