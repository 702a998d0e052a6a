/** A successful or failed sign-in with a password, token or key. */
export interface SignIn {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** As sent by the client; null for keys, because a wrong key identifies no user. */
  readonly userName: string | null;
  /** Null if the user does not exist. */
  readonly userId: string | null;
  readonly method: SignInMethod;
  /** The client's address. */
  readonly address: string;
  /** An error code; null for a successful sign-in. */
  readonly reason: string | null;
  /** The trace of the request. */
  readonly requestId: string | null;
}

export const signInMethods = ['password', 'token', 'key', 'hmac'] as const;
export type SignInMethod = (typeof signInMethods)[number];
