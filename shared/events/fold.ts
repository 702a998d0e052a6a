import type { LogEntry } from './log-entry.ts';

/**
 * The rule that makes a Kafka partition a log that cannot fork. Every reader uses this one function.
 *
 * - A fence counts iff its `prevToken` is the token of the last fence that counted (null before the first one).
 *   Then its own token is the valid one, and the sequence starts again.
 * - An event counts iff it carries the valid token and is the next in that token's sequence.
 *
 * Late entries of a paused or replaced writer carry an older token; doubled ones an older sequence number: both are
 * skipped. The state is two values, so a reader can keep it beside its offset and go on from there (docs/adr/0001).
 */
export interface FoldState {
  readonly token: string | null;
  /** Sequence of the last event that counted under `token`; 0 right after a fence. */
  readonly sequence: number;
}

export const emptyFold: FoldState = { token: null, sequence: 0 };

/** The next state, or undefined when the entry does not count. */
export function fold(state: FoldState, entry: LogEntry): FoldState | undefined {
  if (entry.kind === 'fence') {
    return entry.fence.prevToken === state.token
      ? { token: entry.fence.token, sequence: 0 }
      : undefined;
  }
  const { token, sequence } = entry.event;
  return token === state.token && sequence === state.sequence + 1 ? { token, sequence } : undefined;
}
