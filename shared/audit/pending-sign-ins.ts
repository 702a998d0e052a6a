import type { SignIn } from './sign-in.ts';

export interface PendingSignIn extends SignIn {
  /** The number of identical sign-ins. */
  attempts: number;
}

const MAX_PENDING = 1_000;

/** Combines sign-ins that differ only in time and request. */
export function createPendingSignIns() {
  /** Keyed by all properties that must be equal. */
  let pending = new Map<string, PendingSignIn>();
  let dropped = 0;

  function add(signIn: PendingSignIn): void {
    const { atMs: _, requestId: __, attempts, ...identity } = signIn;
    const key = JSON.stringify(identity);
    const known = pending.get(key);
    if (known !== undefined) known.attempts += attempts;
    else if (pending.size < MAX_PENDING) pending.set(key, signIn);
    else dropped += attempts;
  }

  return {
    record: (signIn: SignIn): void => add({ ...signIn, attempts: 1 }),
    /** Returns and removes all pending sign-ins. */
    takeAll(): readonly PendingSignIn[] {
      const all = [...pending.values()];
      pending = new Map();
      return all;
    },
    /** Adds sign-ins again that could not be written. */
    restore(signIns: readonly PendingSignIn[]): void {
      for (const signIn of signIns) add(signIn);
    },
    /** Returns and resets the number of sign-ins dropped because too many were pending. */
    takeDroppedCount(): number {
      const count = dropped;
      dropped = 0;
      return count;
    },
  };
}
