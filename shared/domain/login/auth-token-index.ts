import type { RecordState } from '../record/record-state.ts';
import { type AuthToken, toAuthToken } from './auth-token.ts';

/**
 * The log-ins of a directory. It is updated event by event, because log-ins are far more frequent than other changes.
 */
export function createAuthTokenIndex() {
  const byHash = new Map<string, AuthToken>();
  /** By user and id. */
  const byUser = new Map<string, Map<string, AuthToken>>();
  const lastUses = new Map<string, number>();

  function forget({ id, tokenHash, userId }: AuthToken): void {
    byHash.delete(tokenHash);
    const theirs = byUser.get(userId);
    theirs?.delete(id);
    if (theirs?.size === 0) byUser.delete(userId);
  }

  function remember(token: AuthToken): void {
    byHash.set(token.tokenHash, token);
    const theirs = byUser.get(token.userId) ?? new Map<string, AuthToken>();
    byUser.set(token.userId, theirs.set(token.id, token));
    lastUses.set(token.userId, Math.max(token.usedAtMs, lastUses.get(token.userId) ?? 0));
  }

  return {
    apply(state: RecordState): void {
      const token = toAuthToken(state);
      if (state.deleted) forget(token);
      else remember(token);
    },
    byHash: (tokenHash: string) => byHash.get(tokenHash),
    /** Oldest first. */
    ofUser: (userId: string) => [...(byUser.get(userId)?.values() ?? [])],
    /** When a log-in of the user was last recorded as used, in milliseconds since 1970; log-ins that ended count, too. */
    lastUseOf: (userId: string) => lastUses.get(userId),
  };
}
