import type { Client } from 'pg';
import type { ProjectedPosition } from '../../../shared/db/positions.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Difference, Differences } from './difference.ts';
import type { LogSource } from './fold-log.ts';
import type { QuarantinedRecord, Rejected } from './load-rejected.ts';

/** The two sides of a comparison: the log up to the positions in one snapshot of Postgres, and that snapshot. */
export interface Verification extends LogSource {
  readonly ends: readonly ProjectedPosition[];
  /** A client in a transaction that uses the snapshot. */
  readonly client: Client;
  /** Another client whose transaction uses the same snapshot. */
  readonly copying: Client;
  readonly model: (entityType: string) => EntityModel | undefined;
  /** The models of types that have a table. */
  readonly models: readonly EntityModel[];
  readonly rejected: Rejected;
  readonly differences: Differences;
}

export interface VerifyResult {
  readonly differences: number;
  /** The first hundred differences. */
  readonly list: readonly Difference[];
  readonly events: number;
  readonly records: number;
  /** Set if there are quarantined records. Their entries were not compared, because the tables rejected them. */
  readonly quarantined?: readonly QuarantinedRecord[];
  /** Set if Postgres rejects the definition of a type. All records of such a type are quarantined. */
  readonly unfit?: readonly { readonly entityType: string; readonly reason: string }[];
  /** Damaged batches that were read from another replica, each with a remedy. */
  readonly damaged?: readonly string[];
  /**
   * The percentage of records in buckets that differ but were not examined, because too many differences had been
   * found.
   */
  readonly unexamined?: number;
}
