/** A request that must be rejected. */
export interface BadRequest {
  /** The fault, as the end of a sentence. */
  readonly name: string;
  readonly method: string;
  /** Relative to `/api/v1`; `{account}` is replaced by the id of an existing account. */
  readonly path: string;
  /** Text or bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Must match the message, or one of the messages in `errors`. */
  readonly messagePattern: RegExp;
}
