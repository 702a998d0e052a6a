import type { LiveEvent } from '../../api/system.ts';

/** More would only make the browser slow: what happened before stands in the history of each record. */
export const mostRows = 200;

/** What of a live stream is on the screen. */
export interface LiveBuffer {
  /** Newest first. */
  readonly rows: readonly LiveEvent[];
  /** Of all that came, those that are no longer kept included. */
  readonly total: number;
  readonly isPaused: boolean;
  /** What came since the pause began, newest first. */
  readonly held: readonly LiveEvent[];
  /** How much that was. */
  readonly heldCount: number;
}

export type LiveAction =
  | { readonly kind: 'came'; readonly events: readonly LiveEvent[]; readonly count: number }
  | { readonly kind: 'clear' | 'goOn' | 'pause' };

export const emptyBuffer: LiveBuffer = {
  rows: [],
  total: 0,
  isPaused: false,
  held: [],
  heldCount: 0,
};

/** `events` are in the order in which they came, the newest of `count`. */
export function reduceBuffer(buffer: LiveBuffer, action: LiveAction): LiveBuffer {
  switch (action.kind) {
    case 'came': {
      const newest = action.events.toReversed();
      const total = buffer.total + action.count;
      return buffer.isPaused
        ? {
            ...buffer,
            total,
            held: trim([...newest, ...buffer.held]),
            heldCount: buffer.heldCount + action.count,
          }
        : { ...buffer, total, rows: trim([...newest, ...buffer.rows]) };
    }
    case 'pause':
      return { ...buffer, isPaused: true };
    case 'goOn':
      return { ...emptyBuffer, total: buffer.total, rows: trim([...buffer.held, ...buffer.rows]) };
    case 'clear':
      return { ...emptyBuffer, isPaused: buffer.isPaused };
  }
}

function trim(events: readonly LiveEvent[]): readonly LiveEvent[] {
  return events.slice(0, mostRows);
}
