/** Somebody who came with a password or key and was let in, or was not. */
export interface SignIn {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** As it was sent; null for a key, which names nobody if it is wrong. */
  readonly userName: string | null;
  /** Null where there is no such user. */
  readonly userId: string | null;
  readonly method: SignInMethod;
  /** Of the client. */
  readonly address: string;
  /** An error code; null for one that was let in. */
  readonly reason: string | null;
  /** The trace of the request. */
  readonly requestId: string | null;
}

export const signInMethods = ['password', 'token', 'key', 'hmac'] as const;
export type SignInMethod = (typeof signInMethods)[number];
