import type { Backlog } from './admit.ts';

interface LanesDeps<Task> {
  readonly maxConcurrent: number;
  /** Asked once per request, right before it starts. */
  takePermit(): boolean;
  /**
   * Called for the first task of a lane whose turn it is: answers its work, or undefined when the task was settled
   * without any. May be called again for the same task while a permit is missing.
   */
  begin(task: Task): (() => Promise<void>) | undefined;
  onFree(): void;
  onBug(error: unknown): void;
}

/** A queue per webhook, one task of each under way, and a bounded number of all. Lanes take turns. */
export interface Lanes<Task> {
  add(laneId: string, task: Task, bytes: number): void;
  backlog(laneId: string): Backlog;
  /** Empties a lane. What is under way goes on. */
  takeWaiting(laneId: string): readonly Task[];
  /** Starts what may start; to be called when there are permits again. */
  pump(): void;
  active(): number;
  /** Starts nothing any more, and answers when nothing is under way. */
  drained(): Promise<void>;
}

/** Long enough for any endpoint that keeps up to empty a lane of usual size, short enough for its neighbours. */
const SLOW_AFTER_MS = 2_000;

interface Waiting<Task> {
  readonly task: Task;
  readonly bytes: number;
  readonly since: number;
}

interface Lane<Task> {
  readonly id: string;
  readonly waiting: Waiting<Task>[];
  bytes: number;
  isBusy: boolean;
}

const emptyBacklog: Backlog = { batches: 0, bytes: 0, isSlow: false };

export function createLanes<Task>(deps: LanesDeps<Task>): Lanes<Task> {
  const lanes = new Map<string, Lane<Task>>();
  /** Lanes that wait for their turn: not busy, with something waiting. */
  const ready: Lane<Task>[] = [];
  let active = 0;
  let onDrained: (() => void) | undefined;

  function pump(): void {
    while (onDrained === undefined && active < deps.maxConcurrent) {
      const [lane] = ready;
      if (lane === undefined) return;
      const next = lane.waiting[0];
      if (next === undefined) {
        ready.shift();
        lanes.delete(lane.id);
        continue;
      }
      const work = deps.begin(next.task);
      if (work !== undefined && !deps.takePermit()) return;
      lane.waiting.shift();
      lane.bytes -= next.bytes;
      if (work === undefined) continue;
      ready.shift();
      void run(lane, work);
    }
  }

  async function run(lane: Lane<Task>, work: () => Promise<void>): Promise<void> {
    lane.isBusy = true;
    active += 1;
    try {
      await work();
    } catch (error) {
      deps.onBug(error);
    }
    lane.isBusy = false;
    active -= 1;
    if (lane.waiting.length > 0) ready.push(lane);
    else lanes.delete(lane.id);
    pump();
    deps.onFree();
    if (active === 0) onDrained?.();
  }

  function open(laneId: string): Lane<Task> {
    const lane: Lane<Task> = { id: laneId, waiting: [], bytes: 0, isBusy: false };
    lanes.set(laneId, lane);
    ready.push(lane);
    return lane;
  }

  return {
    add(laneId, task, bytes) {
      const lane = lanes.get(laneId) ?? open(laneId);
      lane.waiting.push({ task, bytes, since: Date.now() });
      lane.bytes += bytes;
      pump();
    },
    backlog(laneId) {
      const lane = lanes.get(laneId);
      const oldest = lane?.waiting[0];
      if (lane === undefined || oldest === undefined) return emptyBacklog;
      const isSlow = lane.isBusy && Date.now() - oldest.since > SLOW_AFTER_MS;
      return { batches: lane.waiting.length, bytes: lane.bytes, isSlow };
    },
    takeWaiting(laneId) {
      const lane = lanes.get(laneId);
      if (lane === undefined) return [];
      lane.bytes = 0;
      return lane.waiting.splice(0).map(({ task }) => task);
    },
    pump,
    active: () => active,
    drained() {
      return new Promise((resolve) => {
        onDrained = resolve;
        if (active === 0) resolve();
      });
    },
  };
}
