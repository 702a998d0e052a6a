import type { Difference } from './difference.ts';
import type { QuarantinedRecord } from './load-rejected.ts';

export interface VerifyResult {
  readonly differences: number;
  /** The first hundred differences. */
  readonly list: readonly Difference[];
  readonly events: number;
  readonly records: number;
  /** Set if there are any. The tables rejected their entries; everything else was compared. */
  readonly quarantined?: readonly QuarantinedRecord[];
  /** Set if Postgres rejects the definition of a type. All records of such a type are quarantined. */
  readonly unfit?: readonly UnfitType[];
  /** Damaged batches that were read from another replica, each with its remedy. */
  readonly damaged?: readonly string[];
  /**
   * The share of records, in percent, in buckets that differ but were not examined because there are too many
   * differences.
   */
  readonly unexamined?: number;
}

export interface UnfitType {
  readonly entityType: string;
  readonly reason: string;
}
