import type { Room } from './memory-budget.ts';

/** What waits in a webhook's lane. */
export interface Backlog extends Room {
  /** Its endpoint hangs, or needs much longer for what waits than neighbours may be made to wait. */
  readonly isSlow: boolean;
}

/** `overflow`: the lane has no room, and will have some before long. */
export type Admission = 'take' | 'overflow' | 'postpone' | 'wait';

/**
 * Whether the next batch of a partition is taken into its lane. A lane may hold as much as is still free: alone it
 * gets half of the memory, and however many lanes fill up, some is left for the others (dynamic thresholds, as in
 * switches with shared buffers). A lane above its share must not stop its neighbours: what comes for it waits beside
 * its partition while it keeps up, and is postponed when it does not.
 */
export function admit(lane: Backlog, free: Room): Admission {
  if (free.batches <= 0 || free.bytes <= 0) return 'wait';
  if (lane.batches < free.batches && lane.bytes < free.bytes) return 'take';
  return lane.isSlow ? 'postpone' : 'overflow';
}
