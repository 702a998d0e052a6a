import type { SignIn } from './sign-in.ts';

export interface PendingSignIn extends SignIn {
  /** How many were alike. */
  attempts: number;
}

const MAX_PENDING = 1_000;

/** What differs in nothing but time and request is counted. */
export function createPendingSignIns() {
  /** By all that makes two of them alike. */
  let pending = new Map<string, PendingSignIn>();
  let left = 0;

  function add(signIn: PendingSignIn): void {
    const { atMs: _, requestId: __, attempts, ...alike } = signIn;
    const key = JSON.stringify(alike);
    const known = pending.get(key);
    if (known !== undefined) known.attempts += attempts;
    else if (pending.size < MAX_PENDING) pending.set(key, signIn);
    else left += attempts;
  }

  return {
    note: (signIn: SignIn): void => add({ ...signIn, attempts: 1 }),
    /** All of them, which are no longer pending. */
    take(): readonly PendingSignIn[] {
      const taken = [...pending.values()];
      pending = new Map();
      return taken;
    },
    /** Those that could not be written. */
    giveBack(signIns: readonly PendingSignIn[]): void {
      for (const signIn of signIns) add(signIn);
    },
    /** How many had no room since it was asked for the last time. */
    takeLeft(): number {
      const had = left;
      left = 0;
      return had;
    },
  };
}
