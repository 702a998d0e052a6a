/** When each user last proved a key, until it is written. */
export interface PendingKeyUses {
  note(userId: string, atMs: number): void;
  take(): ReadonlyMap<string, number>;
  /** Those that could not be written; a later use counts. */
  giveBack(uses: ReadonlyMap<string, number>): void;
}

const MAX_USERS = 10_000;

export function createPendingKeyUses(): PendingKeyUses {
  let pending = new Map<string, number>();
  return {
    note(userId, atMs) {
      if (pending.size < MAX_USERS || pending.has(userId)) pending.set(userId, atMs);
    },
    take() {
      const taken = pending;
      pending = new Map();
      return taken;
    },
    giveBack(uses) {
      pending = new Map([...uses, ...pending]);
    },
  };
}
