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
  /** Damaged batches that were read from another replica, each with its remedy. */
  readonly damaged?: readonly string[];
  /** The share of records that differ somewhere, in percent, if there are too many to look at each. */
  readonly unexamined?: number;
}
