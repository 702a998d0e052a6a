import { evolve } from '../record/evolve.ts';
import type { RecordEvent } from '../record/record-event.ts';
import type { RecordState } from '../record/record-state.ts';
import { type AuthToken, toAuthToken } from './auth-token.ts';

/**
 * The active log-ins in a directory. Updated incrementally, because log-ins are far more frequent than other changes.
 * Ended log-ins are never looked up and their number is unbounded, so they are dropped.
 */
export function createAuthTokenIndex(isInactive: (userId: string) => boolean) {
  const states = new Map<string, RecordState>();
  const byHash = new Map<string, AuthToken>();
  /** Keyed by user id, then token id. */
  const byUser = new Map<string, Map<string, AuthToken>>();
  const lastUses = new Map<string, number>();

  function forget({ id, tokenHash, userId }: AuthToken): void {
    states.delete(id);
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
    apply(event: RecordEvent): void {
      const known = states.get(event.recordId);
      // The user was deactivated while a use of the token was being recorded.
      if (known === undefined && event.type !== 'Created') return;
      const state = evolve(known, event);
      const token = toAuthToken(state);
      // The user was deactivated while the token was being issued.
      if (isInactive(token.userId)) return;
      if (state.deleted) {
        forget(token);
        return;
      }
      states.set(state.id, state);
      remember(token);
    },
    /** Permanently ends the log-ins of a user: reactivating or restoring the user does not bring them back. */
    endAllOf(userId: string): void {
      for (const token of [...(byUser.get(userId)?.values() ?? [])]) forget(token);
    },
    record: (id: string) => states.get(id),
    all: () => byHash.values(),
    byHash: (tokenHash: string) => byHash.get(tokenHash),
    /** Oldest first. */
    ofUser: (userId: string) => [...(byUser.get(userId)?.values() ?? [])],
    /** When a log-in of the user was last recorded as used, in milliseconds since 1970. Includes ended log-ins. */
    lastUseOf: (userId: string) => lastUses.get(userId),
  };
}
