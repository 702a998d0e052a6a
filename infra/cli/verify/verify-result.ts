import type { Difference } from './difference.ts';
import type { QuarantinedRecord } from './load-rejected.ts';

export interface VerifyResult {
  readonly differences: number;
  /** The first hundred differences. */
  readonly list: readonly Difference[];
  readonly events: number;
  readonly records: number;
  /** Set if there are any. Their entries were refused by the tables, and everything else was compared. */
  readonly quarantined?: readonly QuarantinedRecord[];
  /** Set if Postgres refuses the definition of a type. All records of such a type are quarantined. */
  readonly unfit?: readonly UnfitType[];
  /** Damaged batches that were read from another replica, each with its remedy. */
  readonly damaged?: readonly string[];
  /** The share of records that differ somewhere, in percent, if there are too many to look at each. */
  readonly unexamined?: number;
}

export interface UnfitType {
  readonly entityType: string;
  readonly reason: string;
}
