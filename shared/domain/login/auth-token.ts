import type { RecordState } from '../record/record-state.ts';
import type { AttributeValues } from '../value/attribute-values.ts';

/** Entity type of log-ins in the directory log. It has no definition, so no client can read or write it as a record. */
export const authTokenType = 'AuthToken';

/** Entity type of the users that log-ins belong to. */
export const loginUserType = 'User';

/**
 * A log-in with a token. The token itself is stored nowhere: its keyed hash finds the log-in. Times are in milliseconds
 * since 1970.
 */
export interface AuthToken {
  readonly id: string;
  readonly userId: string;
  readonly tokenHash: string;
  /** Keyed hash of the cookie that has to accompany the token; null if none has to. */
  readonly secretHash: string | null;
  /** Keyed hash of the user's password hash at the log-in: a new password invalidates the token. */
  readonly passwordMark: string;
  readonly issuedAtMs: number;
  readonly usedAtMs: number;
}

/** How long a token lives unused, and in all; 0 means for ever. */
export interface TokenLifetime {
  readonly maxIdleMs: number;
  readonly maxAgeMs: number;
}

/** Uses of a token are recorded only this often, so that reads cause no writes. */
const NOTE_EVERY_MS = 3_600_000;

export function toAuthToken({ id, values }: RecordState): AuthToken {
  return {
    id,
    userId: String(values['userId']),
    tokenHash: String(values['tokenHash']),
    secretHash: typeof values['secretHash'] === 'string' ? values['secretHash'] : null,
    passwordMark: String(values['passwordMark']),
    issuedAtMs: Number(values['issuedAtMs']),
    usedAtMs: Number(values['usedAtMs']),
  };
}

export function toTokenValues({ id: _, ...values }: AuthToken): AttributeValues {
  return values;
}

export function isExpired(
  { issuedAtMs, usedAtMs }: AuthToken,
  { maxIdleMs, maxAgeMs }: TokenLifetime,
  now: number,
): boolean {
  return (
    (maxIdleMs > 0 && now - usedAtMs >= maxIdleMs) || (maxAgeMs > 0 && now - issuedAtMs >= maxAgeMs)
  );
}

/** Whether a use of the token has to be recorded; more often if the idle limit is short. */
export function isUseDue(
  { usedAtMs }: AuthToken,
  { maxIdleMs }: TokenLifetime,
  now: number,
): boolean {
  const every = maxIdleMs > 0 ? Math.min(NOTE_EVERY_MS, maxIdleMs / 4) : NOTE_EVERY_MS;
  return now - usedAtMs >= every;
}
