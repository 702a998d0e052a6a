import type { RecordState } from '../record/record-state.ts';
import type { AttributeValues } from '../value/attribute-values.ts';

/** Entity type of log-ins in the directory log. It has no definition, so clients cannot access it as a record. */
export const authTokenType = 'AuthToken';

/** Entity type of the users to whom log-ins belong. */
export const loginUserType = 'User';

/** The account and the provider's session with which a log-in began. */
export interface TokenOrigin {
  readonly identityId: string;
  readonly providerId: string;
  /** The `sid` claim; null if the provider names no sessions. */
  readonly sessionId: string | null;
}

/** A log-in with a token. Only the keyed hash of the token is stored and used for lookups. Times are in ms since 1970. */
export interface AuthToken {
  readonly id: string;
  readonly userId: string;
  readonly tokenHash: string;
  /** Keyed hash of the cookie that must accompany the token; null if no cookie is required. */
  readonly secretHash: string | null;
  /** Keyed hash of the user's password hash at log-in time: changing the password invalidates the token. */
  readonly passwordMark: string;
  readonly issuedAtMs: number;
  readonly usedAtMs: number;
  /** The client's User-Agent header at log-in; null if it sent none. */
  readonly userAgent: string | null;
  /** Null for a log-in with a password. */
  readonly origin: TokenOrigin | null;
}

/** How long a token is valid when idle, and in total; 0 means no limit. */
export interface TokenLifetime {
  readonly maxIdleMs: number;
  readonly maxAgeMs: number;
}

/** Minimum interval between recorded uses of a token, so that reads cause few writes. */
const RECORD_EVERY_MS = 3_600_000;

export function toAuthToken({ id, values }: RecordState): AuthToken {
  return {
    id,
    userId: String(values['userId']),
    tokenHash: String(values['tokenHash']),
    secretHash: typeof values['secretHash'] === 'string' ? values['secretHash'] : null,
    passwordMark: String(values['passwordMark']),
    issuedAtMs: Number(values['issuedAtMs']),
    usedAtMs: Number(values['usedAtMs']),
    userAgent: typeof values['userAgent'] === 'string' ? values['userAgent'] : null,
    origin: toOrigin(values),
  };
}

export function toTokenValues({ id: _, origin, ...values }: AuthToken): AttributeValues {
  return origin === null ? values : { ...values, ...origin };
}

function toOrigin({ identityId, providerId, sessionId }: AttributeValues): TokenOrigin | null {
  if (typeof identityId !== 'string' || typeof providerId !== 'string') return null;
  return {
    identityId,
    providerId,
    sessionId: typeof sessionId === 'string' ? sessionId : null,
  };
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

/** True if this use of the token must be recorded. Uses are recorded more often if the idle limit is short. */
export function isUseDue(
  { usedAtMs }: AuthToken,
  { maxIdleMs }: TokenLifetime,
  now: number,
): boolean {
  const every = maxIdleMs > 0 ? Math.min(RECORD_EVERY_MS, maxIdleMs / 4) : RECORD_EVERY_MS;
  return now - usedAtMs >= every;
}
