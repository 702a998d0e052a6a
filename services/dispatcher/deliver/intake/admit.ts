import type { Room } from './memory-budget.ts';

/** The backlog of a webhook's lane. */
export interface LaneBacklog extends Room {
  /** The endpoint hangs, or needs too long for its backlog to let neighbours wait for it. */
  readonly isSlow: boolean;
}

/** `overflow`: the lane has no room now, but soon will. */
export type Admission = 'take' | 'overflow' | 'postpone' | 'wait';

/**
 * Decides whether the next batch of a partition is admitted to its lane. A lane may hold as much as is still free: a
 * single lane gets half of the memory, and however many lanes fill up, some memory is left for others (dynamic
 * thresholds, as in switches with shared buffers). A lane above its share must not block its neighbours: its batches
 * wait in the overflow if it keeps up, and are postponed otherwise.
 */
export function admit(lane: LaneBacklog, free: Room): Admission {
  if (free.batches <= 0 || free.bytes <= 0) return 'wait';
  if (lane.batches < free.batches && lane.bytes < free.bytes) return 'take';
  return lane.isSlow ? 'postpone' : 'overflow';
}
