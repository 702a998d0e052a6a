import type { LoggedChange } from '../../api/system.ts';

/** Bounds the rows for the browser's performance. Earlier events are in the history of each record. */
export const maxRows = 200;

/** The visible part of a live stream. */
export interface LiveBuffer {
  /** Newest first. */
  readonly rows: readonly LoggedChange[];
  /** Number of received events, including events that were dropped from `rows`. */
  readonly total: number;
  readonly isPaused: boolean;
  /** Events received during the pause, newest first; at most `maxRows`. */
  readonly held: readonly LoggedChange[];
  /** Number of events received during the pause. */
  readonly heldCount: number;
}

export type LiveAction =
  | { readonly kind: 'received'; readonly events: readonly LoggedChange[]; readonly count: number }
  | { readonly kind: 'clear' | 'resume' | 'pause' };

export const emptyBuffer: LiveBuffer = {
  rows: [],
  total: 0,
  isPaused: false,
  held: [],
  heldCount: 0,
};

/** In a `received` action, `events` are the newest of `count` received events, oldest first. */
export function reduceBuffer(buffer: LiveBuffer, action: LiveAction): LiveBuffer {
  switch (action.kind) {
    case 'received': {
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
    case 'resume':
      return { ...emptyBuffer, total: buffer.total, rows: trim([...buffer.held, ...buffer.rows]) };
    case 'clear':
      return { ...emptyBuffer, isPaused: buffer.isPaused };
  }
}

function trim(events: readonly LoggedChange[]): readonly LoggedChange[] {
  return events.slice(0, maxRows);
}
