import type { AttributeValues } from '../record/attribute-values.ts';
import type { RecordState } from '../record/record-state.ts';

/** Entity type of log-ins in the directory log. It has no definition: no client reads or writes it as a record. */
export const authTokenType = 'AuthToken';

/** A log-in that lasts. The token itself is nowhere: a keyed hash of it finds the log-in. Times are since 1970. */
export interface AuthToken {
  readonly id: string;
  readonly userId: string;
  readonly tokenHash: string;
  /** Of the cookie that has to come along; null if none has to. */
  readonly secretHash: string | null;
  /** Keyed hash of the password hash of then: with another password the token is dead. */
  readonly passwordMark: string;
  readonly issuedAtMs: number;
  readonly usedAtMs: number;
}

/** How long a token lives unused, and at all; 0 is for ever. */
export interface TokenLifetime {
  readonly maxIdleMs: number;
  readonly maxAgeMs: number;
}

/** Uses of a token are noted this rarely, so that reads stay free of writes. */
const noteEveryMs = 3_600_000;

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

/** Whether a use of the token is worth an event; with a short idle limit more often. */
export function isUseDue(
  { usedAtMs }: AuthToken,
  { maxIdleMs }: TokenLifetime,
  now: number,
): boolean {
  const every = maxIdleMs > 0 ? Math.min(noteEveryMs, maxIdleMs / 4) : noteEveryMs;
  return now - usedAtMs >= every;
}
