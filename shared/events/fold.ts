import type { LogEntry } from './log-entry.ts';

/**
 * The rule that makes a Kafka partition a log that cannot fork. Every reader uses this one function, most of them
 * through `takeMessage`.
 *
 * - A fence counts iff its `prevToken` is the token of the last fence that counted (null before the first one).
 *   Then its own token is the valid one, and the sequence starts again.
 * - An event counts iff it carries the valid token and is the next in that token's sequence.
 * - An entry whose authentication code is wrong never counts. From the first fence on that seals the log, an entry
 *   without a code does not count either (docs/adr/0025).
 *
 * Late entries of a paused or replaced writer carry an older token, duplicate ones an older sequence number: both are
 * skipped. The state is three values, so a reader can store it beside its offset and continue from there
 * (docs/adr/0001).
 */
export interface FoldState {
  readonly token: string | null;
  /** Sequence of the last event that counted under `token`; 0 right after a fence. */
  readonly sequence: number;
  /** Whether entries without an authentication code no longer count. */
  readonly sealed: boolean;
}

/**
 * What the authentication code of an entry proves. `seals` is a valid code that also says that all writers of this log
 * authenticate their entries from here on.
 */
export type EntryProof = 'none' | 'valid' | 'seals' | 'wrong';

export const emptyFold: FoldState = { token: null, sequence: 0, sealed: false };

/** The next state, or undefined if the entry does not count. */
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

/** Whether another writer than this installation's processes wrote the entry. */
export function isForeign({ sealed }: Pick<FoldState, 'sealed'>, proof: EntryProof): boolean {
  return proof === 'wrong' || (sealed && proof === 'none');
}
