/** A request that has to be refused. */
export interface BadRequest {
  /** The fault, as the end of a sentence. */
  readonly name: string;
  readonly method: string;
  /** After `/api/v1`; `{account}` stands for the id of an account that exists. */
  readonly path: string;
  /** Text or bytes as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Text that the message, or one in `errors`, has to contain. */
  readonly says: RegExp;
}
