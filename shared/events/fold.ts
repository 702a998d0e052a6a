import type { LogEntry } from './log-entry.ts';

/**
 * Applies the rule that turns a Kafka partition into a log that cannot fork. Every reader uses this function, usually
 * through `takeMessage`.
 *
 * - A fence counts if and only if its `prevToken` is the token of the last valid fence (null before the first one). Its
 *   own token then becomes the valid one, and the sequence restarts.
 * - An event counts if and only if it has the valid token and is the next in that token's sequence.
 * - An entry with a wrong authentication code never counts. From the first fence that seals the log, entries without a
 *   code do not count either (docs/adr/0025).
 *
 * Late entries from a paused or replaced writer have an older token, and duplicates have an older sequence number; both
 * are skipped. The state consists of three values, so a reader can store it with its offset and continue from there
 * (docs/adr/0001).
 */
export interface FoldState {
  readonly token: string | null;
  /** Sequence of the last valid event under `token`; 0 right after a fence. */
  readonly sequence: number;
  /** True if entries without an authentication code no longer count. */
  readonly sealed: boolean;
}

/**
 * The result of verifying an entry's authentication code. `seals` is a valid code that also declares that all writers
 * of this log authenticate every entry after this one.
 */
export type EntryProof = 'none' | 'valid' | 'seals' | 'wrong';

export const emptyFold: FoldState = { token: null, sequence: 0, sealed: false };

/** Returns the next state, or undefined if the entry does not count. */
export function fold(state: FoldState, entry: LogEntry, proof: EntryProof): FoldState | undefined {
  if (isForeign(state, proof)) return undefined;
  if (entry.kind === 'fence') {
    const { token, prevToken } = entry.fence;
    if (prevToken !== state.token) return undefined;
    return { token, sequence: 0, sealed: state.sealed || proof === 'seals' };
  }
  const { token, sequence } = entry.event;
  if (token !== state.token || sequence !== state.sequence + 1) return undefined;
  return { token, sequence, sealed: state.sealed };
}

/** True if the entry was not written by a process of this installation. */
export function isForeign({ sealed }: FoldState, proof: EntryProof): boolean {
  return proof === 'wrong' || (sealed && proof === 'none');
}
