/** An injected fault, for the report. */
export interface Fault {
  readonly what: string;
  readonly at: number;
  readonly ms: number;
}
