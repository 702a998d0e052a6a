import type { RecordState } from '../record/record-state.ts';
import { type AuthToken, toAuthToken } from './auth-token.ts';

/**
 * The log-ins of a directory. It is updated event by event, because log-ins are far more frequent than other changes.
 */
export interface AuthTokenIndex {
  apply(state: RecordState): void;
  byHash(tokenHash: string): AuthToken | undefined;
  /** Oldest first. */
  ofUser(userId: string): readonly AuthToken[];
  /** When a log-in of the user was last recorded as used, in milliseconds since 1970; log-ins that ended count, too. */
  lastUseOf(userId: string): number | undefined;
}

export function createAuthTokenIndex(): AuthTokenIndex {
  const byId = new Map<string, AuthToken>();
  const byHash = new Map<string, AuthToken>();
  const idsByUser = new Map<string, Set<string>>();
  const lastUses = new Map<string, number>();

  function forget({ id, tokenHash, userId }: AuthToken): void {
    byId.delete(id);
    byHash.delete(tokenHash);
    const ids = idsByUser.get(userId);
    ids?.delete(id);
    if (ids?.size === 0) idsByUser.delete(userId);
  }

  function remember(token: AuthToken): void {
    byId.set(token.id, token);
    byHash.set(token.tokenHash, token);
    const ids = idsByUser.get(token.userId) ?? new Set();
    idsByUser.set(token.userId, ids.add(token.id));
    lastUses.set(token.userId, Math.max(token.usedAtMs, lastUses.get(token.userId) ?? 0));
  }

  return {
    apply(state) {
      const known = byId.get(state.id);
      if (state.deleted) {
        if (known !== undefined) forget(known);
        return;
      }
      remember(toAuthToken(state));
    },
    byHash: (tokenHash) => byHash.get(tokenHash),
    ofUser: (userId) =>
      [...(idsByUser.get(userId) ?? [])]
        .map((id) => byId.get(id))
        .filter((token) => token !== undefined),
    lastUseOf: (userId) => lastUses.get(userId),
  };
}
