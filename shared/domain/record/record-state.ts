import type { AttributeValues } from './attribute-values.ts';

/** A record after its event number `version`. Of a deleted record only that, and its last values, are left. */
export interface RecordState {
  readonly entityType: string;
  readonly id: string;
  readonly version: number;
  readonly deleted: boolean;
  /** By attribute name, system attributes and names of linked records included. Absent means null. */
  readonly values: AttributeValues;
}
