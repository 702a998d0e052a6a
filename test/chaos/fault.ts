/** A fault that was made, for the report. */
export interface Fault {
  readonly what: string;
  readonly at: number;
  readonly ms: number;
}
