import type { AttributeValues } from '../value/attribute-values.ts';

/** A record as of its event number `version`. A deleted record keeps its last values. */
export interface RecordState {
  readonly entityType: string;
  readonly id: string;
  readonly version: number;
  readonly deleted: boolean;
  /** Keyed by attribute name; includes system attributes and names of linked records. Absent means null. */
  readonly values: AttributeValues;
}
